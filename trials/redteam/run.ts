import { scoreWithout } from "@stile/risk/assess";
import { createRandom, seedOf } from "@stile/risk/seeded-random";
import { pause } from "./input-methods.ts";
import { type TreeUsage, watchTree } from "./process-tree.ts";
import type { Visit } from "./report.ts";
import type { Session } from "./session.ts";
import type { Testbed } from "./testbed.ts";
import type { OpenTool, Surroundings, Tool } from "./tool.ts";

/** A visit takes seconds; one that hangs is abandoned after this time. */
const VISIT_PATIENCE_MS = 90_000;
/** The service writes its log once a second. */
const LOG_MS = 1_300;

async function within(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`gave up after ${ms / 1000} s`)), ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

type Walked = {
  readonly session: Session;
  readonly fault: string | undefined;
  readonly cpuSeconds: number;
  readonly wallSeconds: number;
};

function cpuSecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

async function walk(open: OpenTool, session: Session): Promise<Walked> {
  const before = process.cpuUsage();
  const startMs = performance.now();
  let fault: string | undefined;
  try {
    await within(VISIT_PATIENCE_MS, open.visit(session));
  } catch (error) {
    fault = (error as Error).message.split("\n")[0] ?? "";
  }
  return {
    session,
    fault,
    cpuSeconds: cpuSecondsSince(before),
    wallSeconds: (performance.now() - startMs) / 1000,
  };
}

async function describeVisit(
  testbed: Testbed,
  { name, kind }: Tool,
  walked: Walked,
  programs: Programs,
): Promise<Visit> {
  const { session, fault } = walked;
  const decisions = await testbed.decisionsOf(session);
  return {
    tokenScore: decisions.find(({ outcome }) => outcome === "token")?.score,
    cpuSeconds: walked.cpuSeconds + programs.cpuSeconds,
    memoryBytes: programs.peakBytes,
    wallSeconds: walked.wallSeconds,
    tool: name,
    kind,
    score: decisions.length === 0 ? undefined : Math.max(...decisions.map(({ score }) => score)),
    scoreWithoutModel: Math.max(0, ...decisions.map((it) => scoreWithout(["trajectory_bot"], it))),
    outcomes: decisions.map(({ outcome }) => outcome),
    flags: [
      ...new Set(decisions.flatMap(({ contributions }) => contributions.map(({ flag }) => flag))),
    ],
    botd: session.botd(),
    fault,
  };
}

/**
 * The usage of a tool's programs: the most memory, and the average CPU of a visit, their start
 * included.
 */
type Programs = TreeUsage;

/** Makes one tool visit `count` times and reads the service's scores. */
export async function runTool(
  tool: Tool,
  count: number,
  surroundings: Omit<Surroundings, "random">,
  started: AsyncDisposableStack,
): Promise<Visit[]> {
  const { testbed } = surroundings;
  const watched = watchTree();
  const open = await tool.open({ ...surroundings, random: createRandom(seedOf(tool.name)) });
  // Ended with the tool, or before it together with everything else.
  const own = started.adopt(new AsyncDisposableStack(), (stack) => stack.disposeAsync());
  own.defer(async () => {
    await open
      .close()
      .catch((fault: Error) =>
        process.stderr.write(`${tool.name} did not end well: ${fault.message}\n`),
      );
  });
  const walked: Walked[] = [];
  for (let i = 0; i < count; i++) walked.push(await walk(open, testbed.openSession()));
  const { cpuSeconds, peakBytes } = watched.end();
  await own.disposeAsync();
  await pause(LOG_MS);
  return Promise.all(
    walked.map((it) =>
      describeVisit(testbed, tool, it, { cpuSeconds: cpuSeconds / count, peakBytes }),
    ),
  );
}
