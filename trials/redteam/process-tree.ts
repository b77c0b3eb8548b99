import { readdirSync, readFileSync } from "node:fs";

/**
 * The usage of the programs that a tool started: CPU, and the most memory of all of them together.
 */
export type TreeUsage = { readonly cpuSeconds: number; readonly peakBytes: number };

const SAMPLE_MS = 200;
/** Linux reports CPU time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

type Process = { readonly pid: number; readonly parent: number; readonly cpuSeconds: number };

/** Undefined for a process that has ended meanwhile. */
function readOrSkip<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function readProcess(pid: number): Process {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  // The name is in brackets and may contain anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [parent = 0, user = 0, system = 0] = [fields[1], fields[11], fields[12]].map(Number);
  return { pid, parent, cpuSeconds: (user + system) / TICKS_PER_SECOND };
}

/** All descendants of this process. */
function descendants(): readonly Process[] {
  const pids = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
  const all = pids.flatMap((pid) => readOrSkip(() => readProcess(Number(pid))) ?? []);
  const childrenOf = Map.groupBy(all, ({ parent }) => parent);
  const found: Process[] = [];
  for (let next = childrenOf.get(process.pid) ?? []; next.length > 0; ) {
    found.push(...next);
    next = next.flatMap(({ pid }) => childrenOf.get(pid) ?? []);
  }
  return found;
}

/** Memory of a process in bytes; shared memory is divided among those that share it. */
function memoryOf(pid: number): number {
  const rollup = readOrSkip(() => readFileSync(`/proc/${pid}/smaps_rollup`, "latin1")) ?? "";
  return 1024 * Number(/^Pss:\s+(\d+)/m.exec(rollup)?.[1] ?? 0);
}

/**
 * Watches all processes started from now on, by this process and its children, until `end`.
 * Processes that live for less than a fifth of a second may be missed, and so may the last fifth of
 * a second of any.
 */
export function watchTree(): { readonly end: () => TreeUsage } {
  const before = new Set(descendants().map(({ pid }) => pid));
  const seconds = new Map<number, number>();
  let peakBytes = 0;
  const sample = (): void => {
    const own = descendants().filter(({ pid }) => !before.has(pid));
    for (const { pid, cpuSeconds } of own) seconds.set(pid, cpuSeconds);
    peakBytes = Math.max(
      peakBytes,
      own.reduce((sum, { pid }) => sum + memoryOf(pid), 0),
    );
  };
  const timer = setInterval(sample, SAMPLE_MS);
  return {
    end: () => {
      clearInterval(timer);
      sample();
      return { cpuSeconds: [...seconds.values()].reduce((sum, one) => sum + one, 0), peakBytes };
    },
  };
}
