import { randomUUID } from "node:crypto";
import type { Duplex } from "node:stream";
import { type Answer, errorAnswer, type RequestContext } from "../answer/answer.ts";
import { type HeaderList, inPairs } from "../answer/security-headers.ts";
import { headersOf, writeAnswer } from "../answer/write-answer.ts";
import type { Connections } from "./connections.ts";

/** The status for each error of Node's parser, before there is a request. */
const PARSER_STATUS: Readonly<Record<string, readonly [number, string]>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout"],
};

/** The parts of the listener that a refusal needs. */
type UnparsedParts = {
  readonly connections: Connections;
  readonly recordRefusal: (answer: Answer, context: RequestContext, isOwn: boolean) => void;
  readonly security: HeaderList;
};

/** Answers a client whose request Node's parser refused, and closes the connection. */
export function refuseUnparsed(
  error: NodeJS.ErrnoException,
  socket: Duplex,
  parts: UnparsedParts,
): void {
  const { connections, recordRefusal, security } = parts;
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  // Node reports the same error again for everything else that arrives.
  if (!connections.refuseRest(socket)) return;
  const last = connections.lastAnswer(socket);
  const due = last?.writableFinished ? undefined : last;
  if (due?.req.complete) {
    // Garbage follows a complete request. A refusal now would look like the answer to that request.
    due.once("finish", () => socket.end());
    return;
  }
  if (due?.headersSent) return;
  const [status, reason] = PARSER_STATUS[error.code ?? ""] ?? [400, "Bad Request"];
  const context = { requestId: randomUUID() };
  const answer = errorAnswer("bad_request", context, {
    status,
    message: `${reason}.`,
    mustClose: true,
  });
  recordRefusal(answer, context, due === undefined);
  if (due !== undefined) {
    // Earlier requests of the connection may still wait for their answers, and Node keeps the
    // order.
    writeAnswer(due, answer, context, security);
    return;
  }
  const text = JSON.stringify(answer.body);
  const headers = [...headersOf(answer, context, security), "Content-Length", String(text.length)];
  const lines = inPairs(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${reason}\r\n${lines.join("\r\n")}\r\n\r\n${text}`);
}
