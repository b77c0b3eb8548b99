import type { Config } from "../../config/config.ts";
import { createKeyRing } from "../../cryptography/key-ring.ts";
import { createNodeCryptography } from "../../cryptography/node-cryptography.ts";
import { refreshKeyRing } from "../../cryptography/service-keys.ts";
import { openDataDirectory } from "../../data-directory/data-directory.ts";
import { explainFault } from "../../faults/operator-faults.ts";
import { printable } from "../../faults/printable.ts";
import { fail } from "../fail.ts";
import { noInstallation } from "../no-installation.ts";
import { hasInstallation, openOperatorStore } from "../operator-ports.ts";
import {
  type ProbeOptions,
  type ProbeReport,
  type ProbingService,
  runProbe,
  WRONG_TOKENS,
  type WrongToken,
} from "./run-probe.ts";
import { CannotTell, type ProbeAnswer } from "./target.ts";

const FIXES: Readonly<Record<WrongToken, string>> = {
  none: "Refuse a form without a token on the server; a check in the browser stops nobody.",
  forged: "Redeem the token, await the answer, and go on only if data.verified is true.",
  replayed: "Redeem the token of each form: do not remember the answer to an earlier one.",
  foreign: "Redeem with the secret key of this site only.",
  expired: "Take everything but data.verified === true as a refusal, also a 4xx and an exception.",
};

/** In characters. */
const EXCERPT = 50;

/** An answer in a line: status, and where it leads or how it begins. */
function summarize({ status, location, body }: ProbeAnswer): string {
  const text =
    location === ""
      ? body
          .replace(/<[^>]*>/g, " ")
          .replace(/\s+/g, " ")
          .trim()
      : location;
  return `${status} ${printable(text.slice(0, EXCERPT))}`.trim();
}

function print({ answers, accepted, isRedeemed }: ProbeReport): void {
  const row = (token: string, result: string, answer: string): string =>
    `${token.padEnd(9)} ${result.padEnd(9)} ${answer}\n`;
  const isAccepted = (kind: WrongToken): boolean => accepted.includes(kind);
  const rows = WRONG_TOKENS.map((kind) =>
    row(kind, isAccepted(kind) ? "ACCEPTED" : "refused", summarize(answers[kind])),
  );
  process.stdout.write(
    row("token", "result", "answer") +
      row("valid", "accepted", summarize(answers.valid)) +
      rows.join(""),
  );
  const lines = accepted.map((kind) => `${kind}: ${FIXES[kind]}`);
  if (!isRedeemed)
    lines.unshift(
      "The valid token was not redeemed: your server does not ask the service, or refuses this form before it does.",
    );
  const end = accepted.length === 0 ? "Your server refused every wrong token." : lines.join("\n");
  process.stdout.write(`\n${end}\n`);
}

async function withService<Result>(
  config: Config,
  work: (service: ProbingService) => Promise<Result>,
): Promise<Result> {
  const directory = openDataDirectory(config.dataDirectory);
  if (!hasInstallation(config, directory)) throw noInstallation(config);
  const masterKey = config.masterKey ?? directory.readMasterKey();
  if (masterKey === undefined)
    throw new CannotTell(`The master key ${directory.masterKeyFile} is missing.`);
  const store = await openOperatorStore(config, directory);
  try {
    const clock = { nowMs: () => Date.now() };
    const ring = createKeyRing();
    await refreshKeyRing(ring, store.serviceKeys, masterKey, clock.nowMs());
    const cryptography = createNodeCryptography(ring, clock);
    return await work({ store, cryptography, masterKey });
  } finally {
    await store.close();
  }
}

/**
 * Prints which wrong tokens the server of the page accepts (D16, operator). Exit code 0: none; 1:
 * at least one; 2: it can't tell.
 */
export async function probe(config: Config, url: URL, options: ProbeOptions): Promise<number> {
  try {
    const report = await withService(config, (service) => runProbe(service, url, options));
    print(report);
    return report.accepted.length === 0 ? 0 : 1;
  } catch (error) {
    fail(
      error instanceof CannotTell ? `Cannot tell. ${error.message}` : explainFault(error, config),
    );
    return 2;
  }
}
