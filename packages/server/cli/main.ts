import { CommanderError } from "commander";
import { createProgram, toExitCode } from "./commands.ts";

// Whoever reads the output may stop, as `head` does. The work goes on: half a move is worse than an
// unwatched one.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
// As in the server, because either may be the first to create the files (D16).
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
