import { fileURLToPath } from "node:url";

/** The part of an engine's CPU profile that is read here. */
export type CpuProfile = {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: {
      readonly functionName: string;
      readonly url: string;
      readonly lineNumber: number;
    };
    readonly children?: readonly number[];
  }[];
  /** Ids of the innermost functions, one per sample. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
};

/** One thread's profile, and its CPU time meanwhile. */
export type ProfiledThread = { readonly profile: CpuProfile; readonly cpuMicros: number };

/**
 * The cost of one function, as shares (0..1) of the CPU of all threads. A profile samples time:
 * within a thread, waiting for a disk inside a call counts like work, but no thread gets a greater
 * share than the CPU it used.
 */
export type FunctionCost = {
  readonly name: string;
  /**
   * `packages/core/x.ts:12` for a file of ours; `node:...` for one of Node's; empty for the
   * engine's own work.
   */
  readonly place: string;
  /** Including everything that it called before it returned, but not what it awaited. */
  readonly inclusive: number;
  readonly self: number;
};

/** Functions of all threads together. */
export type CostliestFunctions = {
  /**
   * Functions of the repository and its libraries, by inclusive share: Node's own event loop would
   * fill the list.
   */
  readonly byInclusive: readonly FunctionCost[];
  /** All functions, including Node's and the engine's. */
  readonly bySelf: readonly FunctionCost[];
};

type Frame = CpuProfile["nodes"][number]["callFrame"];
type Sum = { readonly frame: Frame; inclusive: number; self: number };

const IDLE = "(idle)";
const ROOT = "(root)";
const PROFILER = "/bench/cpu-profiler.ts";

const keyOf = ({ functionName, url, lineNumber }: Frame): string =>
  `${functionName} ${url} ${lineNumber}`;

/** The functions that a sample was in, innermost first; none for the profiler's own samples. */
function stacksOf({ nodes }: CpuProfile): (id: number) => readonly Frame[] {
  const nodeOf = new Map(nodes.map((node) => [node.id, node]));
  const parentOf = new Map(
    nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id] as const)),
  );
  return (id) => {
    const stack: Frame[] = [];
    for (let at: number | undefined = id; at !== undefined; at = parentOf.get(at)) {
      const frame = nodeOf.get(at)?.callFrame;
      if (frame !== undefined && frame.functionName !== ROOT) stack.push(frame);
    }
    // Starting and stopping a profile takes a while itself.
    return stack[0]?.functionName === IDLE || stack.some(({ url }) => url.endsWith(PROFILER))
      ? []
      : stack;
  };
}

/** Adds a share to each function of a stack; only once to a function that calls itself. */
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

/** Adds the costs of the functions of one thread; all of them together have its `weight`. */
function addProfile(sums: Map<string, Sum>, profile: CpuProfile, weight: number): void {
  const { samples, timeDeltas } = profile;
  const microsOf = new Map<number, number>();
  samples.forEach((id, index) => {
    microsOf.set(id, (microsOf.get(id) ?? 0) + Math.max(0, timeDeltas[index] ?? 0));
  });
  const stackOf = stacksOf(profile);
  const stacks = [...microsOf].map(([id, micros]) => ({ stack: stackOf(id), micros }));
  const busy = stacks.reduce(
    (sum, { stack, micros }) => (stack.length > 0 ? sum + micros : sum),
    0,
  );
  for (const { stack, micros } of stacks) addStack(sums, stack, (weight * micros) / busy);
}

function placeOf({ url, lineNumber }: Frame, root: string): string {
  if (url === "") return "";
  const path = url.startsWith("file:") ? fileURLToPath(url).replace(`${root}/`, "") : url;
  return `${path}:${lineNumber + 1}`;
}

/**
 * The `count` most expensive functions in the profiles of one process's threads; paths are relative
 * to `root`.
 */
export function findCostliest(
  threads: readonly ProfiledThread[],
  root: string,
  count: number,
): CostliestFunctions {
  const sums = new Map<string, Sum>();
  const cpuMicrosOfAll = threads.reduce((sum, { cpuMicros }) => sum + cpuMicros, 0);
  for (const { profile, cpuMicros } of threads)
    addProfile(sums, profile, cpuMicros / cpuMicrosOfAll);
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
