import { mkdirSync, writeFileSync } from "node:fs";
import { Session } from "node:inspector";
import { join } from "node:path";

/**
 * The profile of one thread, in a file, and the CPU time of the thread meanwhile, since samples
 * count waiting as well.
 */
export type ThreadProfile = { readonly file: string; readonly cpuMicros: number };

/** A running profile of all threads; `stop` writes a file for each. */
export type CpuProfiling = { readonly stop: () => Promise<readonly ThreadProfile[]> };

/** The part of the engine's answer that is read here. */
type Reply = { readonly profile?: object; readonly result?: { readonly value?: unknown } };
/** Sends a command to the engine of one thread of this process. */
type Post = (method: string, params?: object) => Promise<Reply>;

const INTERVAL_US = 200;

/** Sends commands to the worker of an inspector session, by messages through the main thread. */
function workerPost(session: Session, sessionId: string): Post {
  const waiting = new Map<number, (reply: Reply) => void>();
  let lastId = 0;
  session.on("NodeWorker.receivedMessageFromWorker", ({ params }) => {
    if (params.sessionId !== sessionId) return;
    const { id, result } = JSON.parse(params.message) as { id?: number; result: Reply };
    if (id === undefined) return;
    waiting.get(id)?.(result);
    waiting.delete(id);
  });
  return (method, params = {}) => {
    lastId += 1;
    const id = lastId;
    const { promise, resolve, reject } = Promise.withResolvers<Reply>();
    waiting.set(id, resolve);
    const message = JSON.stringify({ id, method, params });
    session.post(
      "NodeWorker.sendMessageToWorker",
      { sessionId, message },
      (fault) => fault && reject(fault),
    );
    return promise;
  };
}

function mainPost(session: Session): Post {
  return (method, params = {}) =>
    new Promise((resolve, reject) => {
      session.post(method, params, (fault: Error | null, result?: object) =>
        fault ? reject(fault) : resolve(result ?? {}),
      );
    });
}

/** The main thread and the current workers, by name. */
async function postsOf(session: Session): Promise<ReadonlyMap<string, Post>> {
  const posts = new Map<string, Post>([["main", mainPost(session)]]);
  session.on("NodeWorker.attachedToWorker", ({ params }) => {
    posts.set(`worker-${posts.size}`, workerPost(session, params.sessionId));
  });
  await mainPost(session)("NodeWorker.enable", { waitForDebuggerOnStart: false });
  return posts;
}

async function cpuMicrosOf(post: Post): Promise<number> {
  const expression = "(({ user, system }) => user + system)(process.threadCpuUsage())";
  const { result } = await post("Runtime.evaluate", { expression, returnByValue: true });
  if (typeof result?.value !== "number") throw new Error("a thread does not report its CPU time");
  return result.value;
}

/**
 * Begins to profile every thread of this process; the files will be
 * `<directory>/<name>.<thread>.cpuprofile`.
 */
export async function startCpuProfiling(directory: string, name: string): Promise<CpuProfiling> {
  const session = new Session();
  session.connect();
  const posts = await postsOf(session);
  const cpuBefore = new Map<string, number>();
  for (const [thread, post] of posts) {
    cpuBefore.set(thread, await cpuMicrosOf(post));
    await post("Profiler.enable");
    await post("Profiler.setSamplingInterval", { interval: INTERVAL_US });
    await post("Profiler.start");
  }
  return {
    stop: async () => {
      mkdirSync(directory, { recursive: true });
      const threads: ThreadProfile[] = [];
      for (const [thread, post] of posts) {
        const cpuMicros = (await cpuMicrosOf(post)) - (cpuBefore.get(thread) ?? 0);
        const { profile } = await post("Profiler.stop");
        const file = join(directory, `${name}.${thread}.cpuprofile`);
        writeFileSync(file, JSON.stringify(profile));
        threads.push({ file, cpuMicros });
      }
      session.disconnect();
      return threads;
    },
  };
}
