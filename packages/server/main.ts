import { composeService, type Service } from "./compose.ts";
import { type Config, readConfig } from "./config.ts";
import { linkUrl } from "./http/dashboard/link-url.ts";
import { operatorAddress } from "./operator-address.ts";
import { explainFault } from "./operator-faults.ts";
import { createLog } from "./telemetry/log.ts";

/** Ends the process with what is wrong, for the operator, without a stack. */
function fail(lines: readonly string[]): never {
  for (const line of lines) console.error(`stile: ${line}`);
  process.exit(1);
}

/** The sentence for a fault that the operator can mend; others are shown whole. */
function explain(error: unknown, config: Config): string {
  const { code } = error as NodeJS.ErrnoException;
  if (code === "EADDRINUSE") return `Port ${config.port} is in use. Stop what listens there, or set STILE_PORT.`;
  if (code === "EACCES") return `Port ${config.port} may not be opened by this user. Set STILE_PORT above 1023.`;
  if (code === "EADDRNOTAVAIL") return `This machine has no address ${config.host}. Check STILE_HOST.`;
  return explainFault(error);
}

function greet(service: Service, config: Config, url: string): void {
  const address = config.baseUrl ?? url;
  const { firstStart, setupToken } = service;
  const lines = [`Stile listens on ${url}`];
  const own = operatorAddress(config, Number(new URL(url).port));
  lines.push(
    setupToken === undefined
      ? `  Dashboard   ${own}/dashboard`
      : `  Dashboard   ${linkUrl(own, setupToken)}  (once, 15 minutes)`,
  );
  if (config.isDemoOn && firstStart.demoKeys) lines.push(`  Demo page   ${address}/demo`);
  if (firstStart.isFirst && firstStart.demoKeys) {
    lines.push("  A first site was made, for localhost:");
    lines.push(`  Site key    ${firstStart.demoKeys.siteKey}`);
    lines.push(`  Secret key  ${firstStart.demoKeys.secretKey}`);
  }
  console.log(lines.join("\n"));
}

function stopOnSignals(service: Service, log: ReturnType<typeof createLog>): void {
  let isStopping = false;
  const stop = async (signal: string): Promise<void> => {
    // A second signal means that somebody does not want to wait.
    if (isStopping) process.exit(1);
    isStopping = true;
    log.info({ signal }, "stopping");
    await service.stop();
    log.info("stopped");
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => void stop(signal));
}

// What the service writes is for its owner alone, SQLite's files included (D16).
process.umask(0o077);
const reading = readConfig(process.env);
if (reading.kind === "problems") fail(reading.problems);
const { config } = reading;
const log = createLog(config.logLevel);
try {
  const service = await composeService(config, log);
  stopOnSignals(service, log);
  const url = await service.listen();
  log.info({ url, dataDirectory: config.dataDirectory }, "listening");
  greet(service, config, url);
} catch (error) {
  fail([explain(error, config)]);
}
