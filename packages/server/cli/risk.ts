import type { Config } from "../config.ts";
import { exportDecisions } from "./risk-export.ts";
import { importNetworks } from "./risk-import.ts";
import type { RiskOptions } from "./risk-options.ts";
import { trainWeights } from "./risk-train.ts";

type RiskCommand = (config: Config, args: readonly string[], options: RiskOptions) => number | Promise<number>;

const COMMANDS: Readonly<Record<string, { readonly run: RiskCommand; readonly files: number }>> = {
  import: { run: importNetworks, files: 1 },
  export: { run: exportDecisions, files: 0 },
  train: { run: trainWeights, files: 0 },
};

/** Runs `risk import`, `risk export` or `risk train`; answers the exit code, 2 for a command that does not exist. */
export async function risk(
  config: Config,
  options: RiskOptions & { readonly words: readonly string[] },
): Promise<number> {
  const [name = "", ...args] = options.words;
  const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (command === undefined || args.length > command.files) {
    const said = ["risk", ...options.words].join(" ");
    process.stderr.write(`stile: there is no command "${said}"; risk takes ${Object.keys(COMMANDS).join(", ")}.\n`);
    return 2;
  }
  return await command.run(config, args, options);
}
