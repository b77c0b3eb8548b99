import { readdirSync, readFileSync } from "node:fs";
import {
  type KeptConnection,
  keepConnection,
  type RawAnswer,
} from "@stile/testkit/payloads/raw-http";
import { CLOSING, type HostileShape, SMALL } from "./hostile-shapes.ts";

/** The cost of one shape for the service. */
export type ShapeCost = {
  readonly route: string;
  readonly shape: string;
  /** Statuses of the answers. */
  readonly statuses: readonly number[];
  /** The server's CPU time per request, microseconds. */
  readonly cpuMicros: number;
  /**
   * Relative to the small request of the route in the same run, or to as many small requests as
   * have its bytes.
   */
  readonly ratio: number;
};

/**
 * Requests per round: the kernel updates a thread's CPU time only when it switches, so a few
 * requests show nothing.
 */
const REQUESTS = 200;
/**
 * Rounds that alternate the shape and the small one; the median counts, since a busy machine
 * disturbs some of them.
 */
const ROUNDS = 5;

/** The service under attack. */
type Target = { readonly port: number; readonly pid: () => number };

const CONNECTIONS = 8;
/** Requests until a route's hot functions are compiled, and those of one shape. */
const WARM_UP = { route: 400, shape: 24 } as const;

/** CPU time of all threads of a process, in microseconds; Linux counts it in nanoseconds. */
export function cpuMicrosOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, value) => sum + value, 0) / 1000;
}

/**
 * A client address for every request: an attacker has many, and a limit per address must not be the
 * part that answers.
 */
function createClients(): () => string {
  let count = 0;
  return () => {
    count += 1;
    return `203.${(count >> 16) & 255}.${(count >> 8) & 255}.${count & 255}`;
  };
}

/** Sends requests of one shape over all connections; returns their statuses. */
async function send(
  connections: readonly KeptConnection[],
  requestOf: () => Buffer,
  count: number,
): Promise<readonly RawAnswer[]> {
  const answers: RawAnswer[] = [];
  let left = count;
  const work = async (connection: KeptConnection): Promise<void> => {
    while (left-- > 0) answers.push(await connection.send(requestOf()));
  };
  await Promise.all(connections.map(work));
  return answers;
}

/**
 * Measures each shape against the small request of its route. A shape whose answer closes the
 * connection is compared with a small request that asks for that, since a new connection costs as
 * much as a request.
 */
export async function measureShapes(
  target: Target,
  shapes: readonly HostileShape[],
): Promise<readonly ShapeCost[]> {
  const connections = Array.from({ length: CONNECTIONS }, () => keepConnection(target.port));
  const nextClient = createClients();
  const sendShape = (shape: HostileShape, count: number) =>
    send(connections, () => shape.requestOf(nextClient()), count);
  const costOf = async (shape: HostileShape): Promise<number> => {
    const before = cpuMicrosOf(target.pid());
    await sendShape(shape, REQUESTS);
    return (cpuMicrosOf(target.pid()) - before) / REQUESTS;
  };
  const findBase = (route: string, name: string): HostileShape => {
    const found = shapes.find((shape) => shape.route === route && shape.name === name);
    if (found === undefined) throw new Error(`${route} has no request named "${name}"`);
    return found;
  };
  const measure = async (shape: HostileShape): Promise<ShapeCost> => {
    const { route, name } = shape;
    const answers = await sendShape(shape, WARM_UP.shape);
    const base = findBase(route, answers[0]?.headers.connection === "close" ? CLOSING : SMALL);
    const bytesOf = ({ requestOf }: HostileShape): number => requestOf(nextClient()).length;
    const share = shape.isByBytes ? bytesOf(shape) / bytesOf(base) : 1;
    const rounds: { readonly cost: number; readonly ratio: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const baseCost = await costOf(base);
      const cost = await costOf(shape);
      rounds.push({ cost, ratio: cost / (share * baseCost) });
    }
    const statuses = [...new Set(answers.map(({ status }) => status))];
    const { cost, ratio } = rounds.sort((a, b) => a.ratio - b.ratio)[Math.floor(ROUNDS / 2)] ?? {
      cost: 0,
      ratio: 0,
    };
    return { route, shape: name, statuses, cpuMicros: cost, ratio };
  };

  const bases = shapes.filter(({ name }) => name === SMALL || name === CLOSING);
  for (const base of bases) await sendShape(base, WARM_UP.route);
  const costs: ShapeCost[] = [];
  for (const shape of shapes) costs.push(await measure(shape));
  for (const connection of connections) connection.close();
  return costs;
}
