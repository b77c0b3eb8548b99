import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/**
 * How many requests of one connection may wait for answers. A single packet can hold a thousand
 * requests. All their answers would be made and kept for a client that may read none of them.
 * Browsers and proxies send requests one by one.
 */
export const MAX_PIPELINED = 32;

/** The state of a connection, in addition to its requests. */
type OpenConnection = {
  last: ServerResponse | undefined;
  /** Requests whose answers are not complete yet. */
  waiting: number;
  /** Whether it is closing after a refused request; anything behind that request is ignored. */
  isRefused: boolean;
};

/** The connections of one server. A closed connection is forgotten. */
export type Connections = {
  /**
   * Counts a request; false if it must be ignored. Cuts a connection with more than MAX_PIPELINED
   * requests waiting.
   */
  admit(request: IncomingMessage, response: ServerResponse): boolean;
  /** Admits no more requests of this connection; false if it was refused before. */
  refuseRest(socket: Duplex): boolean;
  /** The answer to the latest admitted request. */
  lastAnswer(socket: Duplex): ServerResponse | undefined;
  /** Whether the answer to some admitted request is not fully written yet. */
  isAnswering(): boolean;
};

/** An empty set of connections. `onAnswered` is called when an answer that was begun has ended. */
export function createConnections(onAnswered?: (answer: ServerResponse) => void): Connections {
  const known = new WeakMap<Duplex, OpenConnection>();
  const answering = new Set<Duplex>();

  const find = (socket: Duplex): OpenConnection => {
    const held = known.get(socket);
    if (held !== undefined) return held;
    const connection = { last: undefined, waiting: 0, isRefused: false };
    known.set(socket, connection);
    // Answers that wait behind another one get no event of their own when the connection closes.
    socket.once("close", () => answering.delete(socket));
    return connection;
  };

  return {
    admit: ({ socket }, response) => {
      const connection = find(socket);
      if (connection.isRefused) return false;
      connection.last = response;
      connection.waiting += 1;
      answering.add(socket);
      response.once("close", () => {
        connection.waiting -= 1;
        if (connection.waiting === 0) answering.delete(socket);
        if (response.headersSent) onAnswered?.(response);
      });
      if (connection.waiting <= MAX_PIPELINED) return true;
      connection.isRefused = true;
      socket.destroy();
      return false;
    },
    refuseRest: (socket) => {
      const connection = find(socket);
      if (connection.isRefused) return false;
      connection.isRefused = true;
      return true;
    },
    lastAnswer: (socket) => known.get(socket)?.last,
    isAnswering: () => answering.size > 0,
  };
}

/**
 * Waits until the answer `before` is complete. Returns whether the service may still act on the
 * request of `response`. It may not if `before` closes the connection, because this answer could no
 * longer be sent (RFC 9112, 9.6). Nor may it if the request was refused meanwhile, because its body
 * is broken.
 */
export async function awaitTurn(
  before: ServerResponse,
  response: ServerResponse,
): Promise<boolean> {
  await new Promise<void>((resolve) => before.once("close", resolve));
  return response.req.socket.writable && !response.headersSent;
}
