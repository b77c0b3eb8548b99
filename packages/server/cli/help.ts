import { COMMANDS, type Command } from "./commands.ts";

const USAGE = "Usage: npm run stile --";
/** Where the lines of explanation begin. */
const COLUMN = 18;

function explain([usage, ...lines]: Command["help"][number]): string {
  const indented = lines.map((line) => " ".repeat(COLUMN) + line);
  const head = `  ${usage}`;
  if (head.length >= COLUMN) return [head, ...indented].join("\n");
  return [head.padEnd(COLUMN) + (lines[0] ?? ""), ...indented.slice(1)].join("\n");
}

/** The help of one command, or of them all. */
export function helpText(command?: Command): string {
  if (command !== undefined) {
    const [first] = command.help;
    const usage = command.help.length === 1 ? `${first?.[0]}` : `${first?.[0].split(" ")[0]} ...`;
    return `${USAGE} ${usage}\n\n${command.help.map(explain).join("\n")}\n`;
  }
  const all = [
    ...Object.values(COMMANDS).flatMap(({ help }) => help),
    ["help [COMMAND]", "Shows this, or what one command does."],
    ["version", "Prints the version."],
  ] as const;
  return `${USAGE} <command>

${all.map(explain).join("\n")}

Works on the data directory (STILE_DATA_DIR), beside a running server too.
`;
}
