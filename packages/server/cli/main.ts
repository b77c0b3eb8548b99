import { CommanderError } from "commander";
import { createProgram, toExitCode } from "./commands.ts";

// The reader of the output may stop early, as `head` does. The work continues, because half a move
// is worse than one that nobody watches.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
// The same mask as in the server, because either may be the first to create the files (D16,
// operator).
process.umask(0o077);
const program = createProgram(async (work) => {
  const { perform } = await import("./perform.ts");
  process.exitCode = await perform(work);
});
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = toExitCode(error);
}
