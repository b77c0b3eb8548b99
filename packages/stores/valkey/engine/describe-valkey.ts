import type { Durability } from "@stile/core/ports/store";
import type { Finding } from "@stile/protocol/dashboard-api";
import type { ValkeyAddress } from "./valkey-address.ts";
import { FENCE_SKEW_MS } from "./valkey-functions.ts";
import type { ValkeyProblem } from "./valkey-problem.ts";
import { answersBeforeDisk, findUnfit, type Unfit, type ValkeyHolds, type ValkeySettings } from "./valkey-settings.ts";

/** How an engine is really set, and which of that should be fixed. */
export type ValkeyDescription = {
  readonly engine: string;
  readonly durability: Durability;
  readonly findings: readonly Finding[];
};

/** From this share of its memory limit on, the operator is warned. */
const FULL_SHARE = 0.8;

function durabilityOf({ appendonly, maxmemoryPolicy }: ValkeySettings, unfit: readonly Unfit[]): Durability {
  if (appendonly !== "yes" || maxmemoryPolicy !== "noeviction") return "best-effort";
  return unfit.length === 0 ? "strict" : "crash-safe";
}

/** The command as an operator types it; without the password, for which it prompts. */
function toCommand(words: readonly string[], engine: string, address: ValkeyAddress): string {
  const { host, port, isEncrypted, files, username, password, database } = address;
  const program = engine.startsWith("Valkey") ? "valkey-cli" : "redis-cli";
  const options = [
    ...(isEncrypted ? ["--tls"] : []),
    ...(files.sslrootcert === undefined ? [] : ["--cacert", files.sslrootcert]),
    ...(files.sslcert === undefined ? [] : ["--cert", files.sslcert, "--key", files.sslkey]),
    ...(username === undefined ? [] : ["--user", username]),
    ...(password === undefined ? [] : ["--askpass"]),
    ...(database === 0 ? [] : ["-n", database]),
  ];
  return [program, "-h", host, "-p", port, ...options, ...words].join(" ");
}

function findMemory({ usedBytes, maxBytes }: ValkeySettings, place: string): readonly Finding[] {
  if (maxBytes === 0 || usedBytes < maxBytes * FULL_SHARE) return [];
  const percent = Math.round((usedBytes / maxBytes) * 100);
  const text = `${place} uses ${percent} % of its maxmemory; once that is full, nothing is redeemed.`;
  return [{ level: "warn", text, fix: "Raise maxmemory." }];
}

/**
 * The furthest that a fence lies ahead of the clock, ms, if the clock of the node that began the generation was right.
 */
const FENCE_AHEAD_MS = 2 * FENCE_SKEW_MS;

function findFence({ engine }: ValkeySettings, address: ValkeyAddress, aheadMs: number): readonly Finding[] {
  if (aheadMs <= FENCE_AHEAD_MS) return [];
  const seconds = Math.round(aheadMs / 1_000);
  const text = `No token of the next ${seconds} s is redeemed: the node that saw this run of Valkey first had a clock that much ahead, or this machine's is behind.`;
  const fix = `Set the clocks right, then run: ${toCommand(["FLUSHDB"], engine, address)}`;
  return [{ level: "fail", text, fix }];
}

/** What this service waits for itself because the engine answers earlier; empty if there is nothing. */
function tellWaits(settings: ValkeySettings, wantedReplicas: number): readonly string[] {
  const waits = [
    ...(answersBeforeDisk(settings) ? ["the disk (WAITAOF)"] : []),
    ...(wantedReplicas > 0 ? ["each replica (WAIT)"] : []),
  ];
  return waits.length === 0 ? [] : [`what is spent waits for ${waits.join(" and ")}`];
}

/** The engine in a message, without a password. */
export const placeOf = ({ host, port }: ValkeyAddress): string => `The Valkey at ${host}:${port}`;

function toFinding({ lack, cure, set }: Unfit, engine: string, address: ValkeyAddress): Finding {
  const command = set === undefined ? undefined : `Run: ${toCommand(["CONFIG SET", ...set], engine, address)}`;
  const fix = command ?? `${cure.charAt(0).toUpperCase()}${cure.slice(1)}.`;
  return { level: "fail", text: `${placeOf(address)} ${lack}.`, fix };
}

/**
 * How the engine is set, which of its settings may lose spends, and the command that fixes each. `fenceAheadMs` is how
 * far the fence lies ahead of the clock: what was issued before it counts as expired. `wantedReplicas` is how many must
 * follow it.
 */
export function describeValkey(
  settings: ValkeySettings,
  address: ValkeyAddress,
  { fenceAheadMs, wantedReplicas }: { readonly fenceAheadMs: number; readonly wantedReplicas: number },
): ValkeyDescription {
  const { engine, appendonly, appendfsync, noAppendfsyncOnRewrite, maxmemoryPolicy, replicas, runId } = settings;
  const unfit = findUnfit(settings, { holds: "all", replicas: wantedReplicas });
  const durability = durabilityOf(settings, unfit);
  const told = [
    `appendonly=${appendonly}, appendfsync=${appendfsync}, no-appendfsync-on-rewrite=${noAppendfsyncOnRewrite}`,
    `maxmemory-policy=${maxmemoryPolicy}, replicas=${replicas}, run ${runId.slice(0, 8)}`,
    ...(unfit.length === 0 ? tellWaits(settings, wantedReplicas) : []),
  ].join(", ");
  const text = `What is spent is in ${engine} at ${address.host}:${address.port}, durability ${durability} (${told})`;
  const findings = [
    ...unfit.map((one) => toFinding(one, engine, address)),
    ...findMemory(settings, placeOf(address)),
    ...findFence(settings, address, fenceAheadMs),
  ];
  return { engine, durability, findings: [{ level: durability === "strict" ? "ok" : "warn", text }, ...findings] };
}

/** The same if only limits are kept there: however it is set, losing them makes nothing valid again. */
export function describeForLimits(settings: ValkeySettings, address: ValkeyAddress): ValkeyDescription {
  const { engine, replicas, runId } = settings;
  const told = `replicas=${replicas}, run ${runId.slice(0, 8)}`;
  const text = `Limits of scores are in ${engine} at ${address.host}:${address.port}, which may forget them (${told})`;
  const unfit = findUnfit(settings, { holds: "limits", replicas: 0 });
  const findings: readonly Finding[] = unfit.map((one) => toFinding(one, engine, address));
  return { engine, durability: "best-effort", findings: [{ level: "ok", text }, ...findings] };
}

/** The same for an engine that can't be asked. */
export function describeAbsent(
  address: ValkeyAddress,
  holds: ValkeyHolds,
  problem: ValkeyProblem | undefined,
): ValkeyDescription {
  const reason = problem?.message ?? `${placeOf(address)} does not answer.`;
  const meanwhile =
    holds === "all"
      ? "redemptions, submissions and scores are answered 503"
      : "PostgreSQL counts the limits of scores, and no request is refused for it";
  const finding: Finding = { level: "fail", text: `${reason} Until it is back, ${meanwhile}.` };
  // Where all lies there, what is less than strict is not connected to.
  return { engine: "Valkey unreachable", durability: "strict", findings: [finding] };
}
