import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import type { Answer } from "../answer/answer.ts";

/** A file for browsers, in memory. */
export type StaticFile = {
  readonly type: string;
  readonly etag: string;
  readonly plain: Uint8Array;
  /** Compressed on the first request for gzip, which is rare: browsers take Brotli. */
  readonly gzip: () => Uint8Array;
  /** Compressed at build time and stored next to the file, since it takes too long at a start. */
  readonly brotli?: Uint8Array | undefined;
};

/** A file for browsers was not built. */
export class BuildMissing extends Error {
  override readonly name = "BuildMissing";
}

/** Throws BuildMissing, with the command that builds the file. */
export function checkBuilt(name: string): void {
  if (!existsSync(name))
    throw new BuildMissing(`${name} is missing. Start with "npm start", which builds it.`);
}

/**
 * The content of `NAME.br` next to a file; undefined if it is missing or does not match the file.
 */
function readBrotli(name: string, plain: Uint8Array): Uint8Array | undefined {
  if (!existsSync(`${name}.br`)) return undefined;
  const packed = new Uint8Array(readFileSync(`${name}.br`));
  try {
    return brotliDecompressSync(packed).equals(plain) ? packed : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a file to serve as that media type. Throws if it can't be read. */
export function readStaticFile(name: string, type: string): StaticFile {
  const plain = new Uint8Array(readFileSync(name));
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  let packed: Uint8Array | undefined;
  const gzip = (): Uint8Array => {
    packed ??= new Uint8Array(gzipSync(plain, { level: 9 }));
    return packed;
  };
  return { type, etag, plain, gzip, brotli: readBrotli(name, plain) };
}

/**
 * Characters read of a list in a header, because each comma costs time. Browsers send a tenth of
 * this.
 */
const MAX_LIST = 256;

/** Whether a list of codings, as in `Accept-Encoding`, accepts that one. */
const takes = (list: string, coding: string): boolean =>
  list.split(",").some((part) => {
    const [name, weight = ""] = part.split(";");
    return name?.trim().toLowerCase() === coding && !/^\s*q=0(\.0*)?\s*$/i.test(weight);
  });

/**
 * Whether an `If-None-Match` names that tag, perhaps as a weak one, as proxies send it (RFC 9110,
 * 13.1.2).
 */
const hasTag = (list: string, etag: string): boolean =>
  list.split(",").some((part) => ["*", etag, `W/${etag}`].includes(part.trim()));

/**
 * The file, compressed if the browser accepts that; 304 if it already has it. `headers` are those
 * of its kind.
 */
export function answerFile(
  { headers: asked }: IncomingMessage,
  file: StaticFile,
  headers: Readonly<Record<string, string>>,
): Answer {
  const all = { ...headers, "Content-Type": file.type, ETag: file.etag, Vary: "Accept-Encoding" };
  if (hasTag((asked["if-none-match"] ?? "").slice(0, MAX_LIST), file.etag))
    return { status: 304, body: undefined, headers: all };
  const list = String(asked["accept-encoding"] ?? "").slice(0, MAX_LIST);
  if (file.brotli && takes(list, "br"))
    return { status: 200, body: file.brotli, headers: { ...all, "Content-Encoding": "br" } };
  if (takes(list, "gzip"))
    return { status: 200, body: file.gzip(), headers: { ...all, "Content-Encoding": "gzip" } };
  return { status: 200, body: file.plain, headers: all };
}
