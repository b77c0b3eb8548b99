import { composeService, type Service } from "./compose/compose.ts";
import { type Config, readConfig } from "./config/config.ts";
import { explainListenFault } from "./faults/listen-faults.ts";
import { explainFault, isMovedAway } from "./faults/operator-faults.ts";
import { printable } from "./faults/printable.ts";
import { writeGreeting } from "./lifecycle/greeting.ts";
import { findHandedSocket, listUnusedSettings } from "./lifecycle/handed-socket.ts";
import { answerArguments, NEW } from "./lifecycle/start-arguments.ts";
import { onStopRequest } from "./lifecycle/stop-requests.ts";
import { createLog } from "./telemetry/log.ts";

/** Prints the problem for the operator, without a stack trace, and ends the process. */
function fail(lines: readonly string[]): never {
  for (const line of lines) console.error(`stile: ${printable(line)}`);
  process.exit(1);
}

function reportUnused(settings: readonly string[]): void {
  if (settings.length === 0) return;
  log.warn({ settings }, "Using the socket from systemd; STILE_HOST and STILE_PORT are ignored.");
}

/** Printed if the counts in memory can no longer be written. */
const NOT_WRITTEN =
  "Stopped, but the last counts and decisions could not be written; no spent token is forgotten.";

/** Printed if there is nothing left to write. */
const MOVED =
  "Stopped. The installation was moved to PostgreSQL: start the service with STILE_DATABASE_URL.";

async function stop(
  service: Service,
  config: Config,
  log: ReturnType<typeof createLog>,
  reason: string,
): Promise<void> {
  log.info({ reason }, "stopping");
  try {
    await service.stop();
  } catch (fault) {
    if (isMovedAway(fault)) {
      console.error(`stile: ${MOVED}`);
      process.exit(0);
    }
    fail([`${NOT_WRITTEN} ${explainFault(fault, config)}`]);
  }
  log.info("stopped");
  process.exit(0);
}

const answer = answerArguments(process.argv.slice(2));
if (answer !== undefined) {
  (answer.code === 0 ? process.stdout : process.stderr).write(answer.text);
  process.exit(answer.code);
}
// The service's files, SQLite's included, are readable by their owner only (D16, operator).
process.umask(0o077);
const handed = findHandedSocket(process.env, process);
if (handed.kind === "problem") fail([handed.problem]);
const reading = readConfig(process.env, handed.kind === "socket" ? handed.descriptor : undefined);
if (reading.kind === "problems") fail(reading.problems);
const { config } = reading;
const log = createLog(config.logLevel);
try {
  const service = await composeService(config, log, { mayCreateNew: process.argv.includes(NEW) });
  onStopRequest((reason) => void stop(service, config, log, reason));
  const place = await service.listen();
  if (handed.kind === "socket") reportUnused(listUnusedSettings(process.env));
  log.info(
    { url: place.url, metricsUrl: place.metricsUrl, dataDirectory: config.dataDirectory },
    "listening",
  );
  const { setupToken, firstStart } = service;
  const { isDemoOn } = config;
  const isTerminal = process.stdout.isTTY === true;
  console.log(
    writeGreeting({ ...place, setupToken, demoKeys: firstStart.demoKeys, isDemoOn, isTerminal }),
  );
} catch (error) {
  fail([explainListenFault(error, config) ?? explainFault(error, config)]);
}
