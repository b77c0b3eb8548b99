import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";

/**
 * Requests of one connection that may wait for their answers. One packet holds a thousand, whose answers would all be
 * made and kept for a client that reads none of them; browsers and proxies send them one by one.
 */
export const MAX_PIPELINED = 32;

/** What is known of a connection besides its requests. */
type Connection = {
  last: ServerResponse | undefined;
  /** Requests without a whole answer. */
  waiting: number;
  /** It is closing behind a refused request: what came with that is not looked at. */
  isRefused: boolean;
};

/** The connections of one server, forgotten as they go. */
export type Connections = {
  /** Counts a request; false if it must not be looked at. A connection with more than MAX_PIPELINED waiting is cut. */
  admit(request: IncomingMessage, response: ServerResponse): boolean;
  /** Lets none of the requests behind this one in. */
  refuseRest(request: IncomingMessage): void;
  /** Answer to the latest request that was let in. */
  lastAnswer(socket: Duplex): ServerResponse | undefined;
};

/** No connections yet. `onAnswered` is told of each answer that was begun, when it has ended. */
export function createConnections(onAnswered?: (answer: ServerResponse) => void): Connections {
  const known = new WeakMap<Duplex, Connection>();

  const find = (socket: Duplex): Connection => {
    const held = known.get(socket);
    if (held !== undefined) return held;
    const connection = { last: undefined, waiting: 0, isRefused: false };
    known.set(socket, connection);
    return connection;
  };

  return {
    admit: ({ socket }, response) => {
      const connection = find(socket);
      if (connection.isRefused) return false;
      connection.last = response;
      connection.waiting += 1;
      response.once("close", () => {
        connection.waiting -= 1;
        if (response.headersSent) onAnswered?.(response);
      });
      if (connection.waiting <= MAX_PIPELINED) return true;
      connection.isRefused = true;
      socket.destroy();
      return false;
    },
    refuseRest: ({ socket }) => {
      find(socket).isRefused = true;
    },
    lastAnswer: (socket) => known.get(socket)?.last,
  };
}
