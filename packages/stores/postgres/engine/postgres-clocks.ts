import type { Finding } from "@stile/protocol/dashboard-api";
import type { Query } from "./database.ts";

/**
 * Clocks that differ by more than this are reported, ms. Limits and lives of tokens are counted in
 * seconds.
 */
const TOLERANCE_MS = 2_000;
/**
 * Nodes that wrote their row within this time count as running, ms; they write every 30 s. A node
 * that restarted counts twice.
 */
const LATELY_MS = 120_000;

const FIX = "Let a time service keep both: timedatectl set-ntp true";

const seconds = (ms: number): string => `${(Math.abs(ms) / 1000).toFixed(1)} s`;

/**
 * How far this machine's clock is ahead of the database's, ms. Half of the time that the question
 * took is uncertain.
 */
async function measureAhead(
  read: Query,
): Promise<{ readonly aheadMs: number; readonly unknownMs: number }> {
  const askedAtMs = Date.now();
  const { rows } = await read<{ nowMs: number }>(
    'SELECT (extract(epoch FROM clock_timestamp()) * 1000)::BIGINT AS "nowMs"',
  );
  const answeredAtMs = Date.now();
  const nowMs = rows[0]?.nowMs ?? askedAtMs;
  return {
    aheadMs: (askedAtMs + answeredAtMs) / 2 - nowMs,
    unknownMs: (answeredAtMs - askedAtMs) / 2,
  };
}

/** The largest difference between clocks of running nodes; undefined if fewer than two run. */
async function measureNodes(
  read: Query,
): Promise<{ readonly nodes: number; readonly apartMs: number } | undefined> {
  const { rows: found } = await read<{ hasNodes: boolean }>(
    `SELECT to_regclass('nodes') IS NOT NULL AS "hasNodes"`,
  );
  if (found[0]?.hasNodes !== true) return undefined;
  const { rows } = await read<{ nodes: number; apartMs: number | null }>(
    `SELECT count(*) AS nodes, max(ahead_ms) - min(ahead_ms) AS "apartMs" FROM nodes
      WHERE at_ms > extract(epoch FROM clock_timestamp()) * 1000 - ${LATELY_MS}`,
  );
  const { nodes = 0, apartMs = null } = rows[0] ?? {};
  return nodes < 2 || apartMs === null ? undefined : { nodes, apartMs };
}

/** Compares the clocks of this machine, the database and the nodes. */
export async function findClocks(read: Query): Promise<readonly Finding[]> {
  const { aheadMs, unknownMs } = await measureAhead(read);
  const isApart = Math.abs(aheadMs) - unknownMs > TOLERANCE_MS;
  const where = aheadMs > 0 ? "ahead of" : "behind";
  const own: Finding = isApart
    ? {
        level: "warn",
        text: `This machine's clock is ${seconds(aheadMs)} ${where} the database's.`,
        fix: FIX,
      }
    : { level: "ok", text: "The clocks of this machine and of the database agree" };
  const nodes = await measureNodes(read);
  if (nodes === undefined) return [own];
  const { nodes: count, apartMs } = nodes;
  if (apartMs <= TOLERANCE_MS)
    return [
      own,
      { level: "ok", text: `The clocks of the ${count} nodes of the last 2 minutes agree` },
    ];
  const text = `The clocks of the ${count} nodes of the last 2 minutes are up to ${seconds(apartMs)} apart.`;
  return [own, { level: "warn", text, fix: FIX.replace("both", "each of them") }];
}
