import { fileURLToPath } from "node:url";

/** A CPU profile as the engine writes it, as far as it is read here. */
export type CpuProfile = {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
    readonly children?: readonly number[];
  }[];
  /** Ids of the innermost functions, one a sample. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
};

/** One thread's profile, and the CPU that it had meanwhile. */
export type ProfiledThread = { readonly profile: CpuProfile; readonly cpuMicros: number };

/**
 * What one function took, as shares (0..1) of the CPU of all threads. A profile samples time: within a thread, waiting for a disk
 * inside a call counts like work, but no thread has a greater share than it had CPU.
 */
export type FunctionCost = {
  readonly name: string;
  /** `packages/core/x.ts:12` for a file of ours; `node:...` for one of Node's; empty for the engine's own work. */
  readonly place: string;
  /** With all that it called before it returned. What it awaits is no part of it. */
  readonly inclusive: number;
  readonly self: number;
};

/** Functions of all threads together. */
export type DearestFunctions = {
  /** Of the repository and the libraries it uses, by inclusive share: Node's own event loop would fill the list. */
  readonly byInclusive: readonly FunctionCost[];
  /** Of all there are, Node's and the engine's too. */
  readonly bySelf: readonly FunctionCost[];
};

type Frame = CpuProfile["nodes"][number]["callFrame"];
type Sum = { readonly frame: Frame; inclusive: number; self: number };

const IDLE = "(idle)";
const ROOT = "(root)";
const PROFILER = "/bench/cpu-profiler.ts";

const keyOf = ({ functionName, url, lineNumber }: Frame): string => `${functionName} ${url} ${lineNumber}`;

/** The functions that a sample was in, the innermost first; of the profiler's own samples there are none. */
function stacksOf({ nodes }: CpuProfile): (id: number) => readonly Frame[] {
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const parentOf = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)));
  return (id) => {
    const stack: Frame[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parentOf.get(at)) {
      const frame = nodeOf.get(at)?.callFrame;
      if (frame !== undefined && frame.functionName !== ROOT) stack.push(frame);
    }
    // To begin and to end a profile takes a while itself.
    return stack[0]?.functionName === IDLE || stack.some(({ url }) => url.endsWith(PROFILER)) ? [] : stack;
  };
}

/** Adds a share to each function of a stack; to one that calls itself, once. */
function addStack(sums: Map<string, Sum>, stack: readonly Frame[], share: number): void {
  const seen = new Set<string>();
  stack.forEach((frame, depth) => {
    const key = keyOf(frame);
    const sum = sums.get(key) ?? { frame, inclusive: 0, self: 0 };
    sums.set(key, sum);
    if (!seen.has(key)) sum.inclusive += share;
    if (depth === 0) sum.self += share;
    seen.add(key);
  });
}

/** Adds what the functions of one thread took; all of them together, its `weight`. */
function addProfile(sums: Map<string, Sum>, profile: CpuProfile, weight: number): void {
  const { samples, timeDeltas } = profile;
  const microsOf = new Map<number, number>();
  samples.forEach((id, index) => {
    microsOf.set(id, (microsOf.get(id) ?? 0) + Math.max(0, timeDeltas[index] ?? 0));
  });
  const stackOf = stacksOf(profile);
  const stacks = [...microsOf].map(([id, micros]) => ({ stack: stackOf(id), micros }));
  const busy = stacks.reduce((sum, { stack, micros }) => (stack.length > 0 ? sum + micros : sum), 0);
  for (const { stack, micros } of stacks) addStack(sums, stack, (weight * micros) / busy);
}

function placeOf({ url, lineNumber }: Frame, root: string): string {
  if (url === "") return "";
  const path = url.startsWith("file:") ? fileURLToPath(url).replace(`${root}/`, "") : url;
  return `${path}:${lineNumber + 1}`;
}

/** The `count` dearest functions of the profiles of one process's threads; paths are told from `root`. */
export function findDearest(threads: readonly ProfiledThread[], root: string, count: number): DearestFunctions {
  const sums = new Map<string, Sum>();
  const cpuMicrosOfAll = threads.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0);
  for (const { profile, cpuMicros } of threads) addProfile(sums, profile, cpuMicros / cpuMicrosOfAll);
  const toCost = ({ frame, inclusive, self }: Sum): FunctionCost => ({
    name: frame.functionName || "(anonymous)",
    place: placeOf(frame, root),
    inclusive,
    self,
  });
  const all = [...sums.values()];
  const own = all.filter(({ frame }) => frame.url.startsWith("file:"));
  return {
    byInclusive: own
      .sort((a, b) => b.inclusive - a.inclusive)
      .slice(0, count)
      .map(toCost),
    bySelf: all
      .sort((a, b) => b.self - a.self)
      .slice(0, count)
      .map(toCost),
  };
}
