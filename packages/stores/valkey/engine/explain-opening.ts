import { explainTls } from "../../tls-files.ts";
import { placeOf } from "./describe-valkey.ts";
import type { ValkeyPlan } from "./valkey-client.ts";
import { COMMANDS_FOR_LIMITS, NEEDED_COMMANDS } from "./valkey-functions.ts";
import { ValkeyProblem } from "./valkey-problem.ts";

const TLS_WORDS = { setting: "STILE_VALKEY_URL", mark: "?", askNone: "set its tls-auth-clients to no" } as const;

/** Why a connection could not be opened, in words for the operator. */
export function explainOpening(
  fault: unknown,
  { address, holds }: Pick<ValkeyPlan, "address" | "holds">,
): ValkeyProblem {
  const { message = "" } = Object(fault) as Error;
  if (fault instanceof ValkeyProblem) return fault;
  const place = placeOf(address);
  const cause = { cause: fault };
  const ofTls = explainTls(fault, { place, ...TLS_WORDS });
  if (ofTls !== undefined) return new ValkeyProblem(ofTls, cause);
  if (/NOAUTH|WRONGPASS/.test(message)) {
    return new ValkeyProblem(`${place} does not let us in; check user and password in STILE_VALKEY_URL.`, cause);
  }
  if (/NOPERM|ACL failure|unknown command|can't run this command/.test(message)) {
    const commands = holds === "all" ? NEEDED_COMMANDS : COMMANDS_FOR_LIMITS;
    const needed = commands.join(", ").replaceAll("|", " ").toUpperCase();
    const told = `${place} refuses a command (${message}); the user needs ${needed} and the keys stile:*.`;
    return new ValkeyProblem(told, cause);
  }
  if (/DB index is out of range/.test(message)) {
    const cure = "name another at the end of STILE_VALKEY_URL";
    return new ValkeyProblem(`${place} has no database ${address.database}; ${cure}.`, cause);
  }
  const port = address.isEncrypted ? "that its port speaks TLS and asks for no certificate (sslcert, sslkey), " : "";
  return new ValkeyProblem(
    `${place} can't be used (${message}); check STILE_VALKEY_URL, ${port}and that it runs.`,
    cause,
  );
}
