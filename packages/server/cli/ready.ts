// `node packages/server/cli/ready.ts`: exit code 0 if the service of these settings takes requests,
// else 1 with the reason. The container's HEALTHCHECK runs it every few seconds, so it loads only
// the settings.
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { type Config, readConfig } from "../config/config.ts";
import { fail } from "./fail.ts";

/** In ms; longer than a service with a stuck store takes to report it (D15, outage). */
const PATIENCE_MS = 4000;

/** The address to ask if the service listens on all addresses. */
const OWN_ADDRESS: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** Status and body of GET /readyz. Rejects if there is no answer. */
function askReadiness({
  host,
  port,
}: Config): Promise<{ readonly status: number | undefined; readonly body: string }> {
  return new Promise((resolve, reject) => {
    const options = {
      host: OWN_ADDRESS[host] ?? host,
      port,
      path: "/readyz",
      timeout: PATIENCE_MS,
    };
    const asked = request(options, (answer) => {
      text(answer).then(
        (body) => resolve({ status: answer.statusCode, body: body.trim() }),
        reject,
      );
    });
    asked.once("timeout", () =>
      asked.destroy(new Error(`no answer within ${PATIENCE_MS / 1000} s`)),
    );
    asked.once("error", reject).end();
  });
}

async function reportReadiness(config: Config): Promise<number> {
  const place = `${config.host}, port ${config.port}`;
  try {
    const { status, body } = await askReadiness(config);
    if (status !== 200) return fail(`The service on ${place} is not ready: ${body}`);
    process.stdout.write(`${body}\n`);
    return 0;
  } catch (error) {
    return fail(
      `Nothing answers on ${place} (${(error as Error).message}). Start the service, or check its log.`,
    );
  }
}

const reading = readConfig(process.env);
process.exitCode =
  reading.kind === "problems" ? fail(...reading.problems) : await reportReadiness(reading.config);
