import { Agent, request } from "node:http";
import { text } from "node:stream/consumers";

/** The parts of a call that matter here. */
export type SpreadCall = Pick<RequestInit, "method" | "body"> & {
  readonly headers?: RequestInit["headers"];
};

/**
 * Calls without an answer: over an established connection, over a new one, or because every node
 * refused it.
 */
export type SpreadLosses = { lost: number; reset: number; refused: number };

/** Calls to some nodes behind one address, in turn. */
export type SpreadCalls = {
  /** Like `fetch`, but of `url` only path and query are used. Rejects if no answer came. */
  readonly send: (url: string, call?: SpreadCall) => Promise<Response>;
  readonly losses: Readonly<SpreadLosses>;
  /** Closes the connections. */
  readonly end: () => void;
};

type SpreadCallResult = { readonly response: Response } | { readonly loss: keyof SpreadLosses };

function sendTo(
  url: URL,
  { method = "GET", headers = {}, body }: SpreadCall,
  agent: Agent,
): Promise<SpreadCallResult> {
  return new Promise((resolve) => {
    const call = request(url, { method, headers: headers as Record<string, string>, agent });
    const onError = ({ code }: NodeJS.ErrnoException): void => {
      const ofNew = code === "ECONNREFUSED" ? "refused" : "reset";
      resolve({ loss: call.reusedSocket ? "lost" : ofNew });
    };
    call.once("response", (answer) => {
      const given = {
        status: answer.statusCode ?? 0,
        headers: answer.headers as Record<string, string>,
      };
      text(answer).then((told) => resolve({ response: new Response(told, given) }), onError);
    });
    call.once("error", onError);
    call.end(typeof body === "string" ? body : undefined);
  });
}

/**
 * Each call goes to the next node, and then to another if nothing listens there, as with a proxy.
 */
export function spreadCalls(baseUrls: readonly string[]): SpreadCalls {
  const agent = new Agent({ keepAlive: true });
  const losses: SpreadLosses = { lost: 0, reset: 0, refused: 0 };
  let calls = 0;
  return {
    losses,
    send: async (url, call = {}) => {
      const { pathname, search } = new URL(url, "http://localhost");
      const first = calls++;
      for (let i = 0; ; i++) {
        const node = baseUrls[(first + i) % baseUrls.length];
        const sent = await sendTo(new URL(`${pathname}${search}`, node), call, agent);
        if ("response" in sent) return sent.response;
        if (sent.loss === "refused" && i + 1 < baseUrls.length) continue;
        losses[sent.loss] += 1;
        throw new Error(`no answer: ${sent.loss}`);
      }
    },
    end: () => agent.destroy(),
  };
}
