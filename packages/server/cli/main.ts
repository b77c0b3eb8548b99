import { CommanderError } from "commander";
import { readConfig } from "../config/config.ts";
import { explainFault } from "../faults/operator-faults.ts";
import { createProgram, toExitCode, type Work } from "./commands.ts";
import { fail } from "./fail.ts";

/** Does a command's work under the environment's settings; answers the exit code. */
async function perform(work: Work): Promise<number> {
  const reading = readConfig(process.env);
  if (reading.kind === "problems") return fail(...reading.problems);
  try {
    return await work(reading.config);
  } catch (error) {
    return fail(explainFault(error, reading.config));
  }
}

// Who reads what is told may go, as `head` does. The work goes on: a move that ends half way is worse than one that nobody watches.
for (const stream of [process.stdout, process.stderr]) {
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}
// As the server does: whichever comes first makes the files (D16).
process.umask(0o077);
const program = createProgram(async (work) => {
  process.exitCode = await perform(work);
});
try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof CommanderError)) throw error;
  process.exitCode = toExitCode(error);
}
