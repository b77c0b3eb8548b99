import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";

/** A call as received over the socket. */
export type SeenCall = {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
};

/** The answer: a status and a body, which is sent as JSON unless it is a text. */
export type ServiceReply = {
  readonly status: number;
  readonly body: unknown;
  readonly type?: string;
};

/** A server on a real socket that gives prepared answers. */
export type AnsweringService = AsyncDisposable & {
  readonly origin: string;
  readonly calls: readonly SeenCall[];
  /** Sets the answers from now on; the last one is repeated. */
  readonly answer: (...replies: readonly (ServiceReply | Promise<ServiceReply>)[]) => void;
};

/** A success of a private endpoint. */
export const success = (data: unknown): ServiceReply => ({
  status: 200,
  body: { success: true, data },
});

/** A refusal of a private endpoint. */
export const refusal = (status: number, code: string, more: object = {}): ServiceReply => ({
  status,
  body: {
    success: false,
    data: {},
    error: { code, message: `Because of ${code}.`, request_id: "r-1", ...more },
  },
});

/** Starts one on a free port of this machine. */
export async function startAnswering(): Promise<AnsweringService> {
  const calls: SeenCall[] = [];
  let replies: (ServiceReply | Promise<ServiceReply>)[] = [success({})];
  const server = createServer(async (request, response) => {
    const body = (await request.setEncoding("utf8").toArray()).join("");
    calls.push({
      method: request.method ?? "",
      path: request.url ?? "",
      headers: request.headers,
      body,
    });
    const next = (replies.length > 1 ? replies.shift() : replies[0]) ?? success({});
    const reply = await next;
    const isText = typeof reply.body === "string";
    response.writeHead(reply.status, {
      "content-type": reply.type ?? (isText ? "text/html" : "application/json"),
    });
    response.end(isText ? reply.body : JSON.stringify(reply.body));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    answer: (...next) => {
      replies = [...next];
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
