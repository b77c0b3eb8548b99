import { connect, type Socket } from "node:net";

/** An answer as received over the socket. Header names in lower case. */
export type RawAnswer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
};

const HEAD_END = "\r\n\r\n";

function parseHead(head: string): { status: number; headers: Record<string, string> } {
  const [statusLine = "", ...lines] = head.split("\r\n");
  const status = Number(/^HTTP\/1\.1 (\d{3}) /.exec(statusLine)?.[1]);
  if (Number.isNaN(status))
    throw new Error(`no HTTP answer: ${JSON.stringify(statusLine.slice(0, 200))}`);
  const headers: Record<string, string> = {};
  for (const line of lines)
    headers[line.slice(0, line.indexOf(":")).toLowerCase()] = line.slice(line.indexOf(":") + 2);
  return { status, headers };
}

/**
 * Body of a chunked answer and the number of bytes it took, or undefined while it is incomplete.
 */
function readChunks(bytes: Buffer): { body: string; size: number } | undefined {
  let body = "";
  for (let at = 0; ; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    if (lineEnd < 0) return undefined;
    const size = Number.parseInt(bytes.toString("latin1", at, lineEnd), 16);
    const next = lineEnd + 2 + size + 2;
    if (next > bytes.length) return undefined;
    if (size === 0) return { body, size: next };
    body += bytes.toString("utf8", lineEnd + 2, lineEnd + 2 + size);
    at = next;
  }
}

/**
 * The first complete answer in the bytes and how many it took; undefined while it is incomplete.
 */
function readAnswer(bytes: Buffer): { answer: RawAnswer; size: number } | undefined {
  const headSize = bytes.indexOf(HEAD_END);
  if (headSize < 0) return undefined;
  const { status, headers } = parseHead(bytes.toString("latin1", 0, headSize));
  const bodyAt = headSize + HEAD_END.length;
  if (headers["transfer-encoding"] === "chunked") {
    const chunks = readChunks(bytes.subarray(bodyAt));
    return chunks && { answer: { status, headers, body: chunks.body }, size: bodyAt + chunks.size };
  }
  const length = Number(headers["content-length"] ?? 0);
  if (bytes.length < bodyAt + length) return undefined;
  return {
    answer: { status, headers, body: bytes.toString("utf8", bodyAt, bodyAt + length) },
    size: bodyAt + length,
  };
}

/** Collects answers from the bytes that arrive on a socket. */
function createAnswerReader(onAnswer: (answer: RawAnswer) => void): (bytes: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (bytes) => {
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    for (let read = readAnswer(rest); read !== undefined; read = readAnswer(rest)) {
      rest = rest.subarray(read.size);
      onAnswer(read.answer);
    }
  };
}

/** The result of writing bytes to a fresh connection. */
export type Exchange = {
  readonly answers: readonly RawAnswer[];
  /** Everything received, as Latin-1. */
  readonly received: string;
  /** Whether the service closed the connection. */
  readonly isClosed: boolean;
  /** Milliseconds from connecting until the exchange ended. */
  readonly tookMs: number;
};

/** When an exchange ends, apart from the service closing it. */
export type ExchangeLimits = {
  /** Ends after this many answers. Undefined: only the service ends it. */
  readonly answers?: number;
  readonly withinMs: number;
  /** Closes the sending half after the last byte. */
  readonly isHalfClosed?: boolean;
  /** Called with the connected socket, to write more than the first bytes. */
  readonly onConnected?: (socket: Socket) => void;
};

/** Writes the bytes unchanged to a fresh connection and collects the answer. */
export function exchange(
  port: number,
  bytes: string | Buffer,
  limits: ExchangeLimits,
): Promise<Exchange> {
  return new Promise((resolve, reject) => {
    const startedAt = performance.now();
    const answers: RawAnswer[] = [];
    let received = "";
    const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true });
    const finish = (isClosed: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve({ answers, received, isClosed, tookMs: performance.now() - startedAt });
    };
    const timer = setTimeout(() => finish(false), limits.withinMs);
    const read = createAnswerReader((answer) => answers.push(answer));
    socket.on("connect", () => {
      socket.write(typeof bytes === "string" ? Buffer.from(bytes, "latin1") : bytes);
      if (limits.isHalfClosed) socket.end();
      limits.onConnected?.(socket);
    });
    socket.on("data", (data: Buffer) => {
      received += data.toString("latin1");
      try {
        read(data);
      } catch (error) {
        clearTimeout(timer);
        socket.destroy();
        reject(error);
        return;
      }
      if (limits.answers !== undefined && answers.length >= limits.answers) finish(false);
    });
    socket.on("end", () => finish(true));
    socket.on("error", () => finish(true));
    socket.on("close", () => finish(true));
  });
}

/**
 * A connection for one request after another; opens a new one whenever the service has closed it.
 */
export type KeptConnection = {
  /** Rejects if the service closes the connection without an answer. */
  readonly send: (bytes: Buffer) => Promise<RawAnswer>;
  readonly close: () => void;
};

/** Keeps a connection to a port of this machine. */
export function keepConnection(port: number): KeptConnection {
  let socket: Socket | undefined;
  let settle: { resolve: (answer: RawAnswer) => void; reject: (error: Error) => void } | undefined;

  const open = (): Socket => {
    const opened = connect({ port, host: "127.0.0.1", noDelay: true });
    const read = createAnswerReader((answer) => {
      if (answer.headers.connection === "close") {
        socket = undefined;
        opened.destroy();
      }
      settle?.resolve(answer);
    });
    const fail = (error: Error): void => {
      if (socket !== opened) return;
      socket = undefined;
      settle?.reject(error);
    };
    opened.on("data", read);
    opened.on("error", fail);
    opened.on("close", () => fail(new Error("the connection was closed without an answer")));
    return opened;
  };

  return {
    send: (bytes) =>
      new Promise((resolve, reject) => {
        settle = { resolve, reject };
        socket ??= open();
        socket.write(bytes);
      }),
    close: () => {
      const closing = socket;
      socket = undefined;
      closing?.destroy();
    },
  };
}
