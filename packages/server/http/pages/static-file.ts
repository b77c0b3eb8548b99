import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { gzipSync } from "node:zlib";
import type { Answer } from "../answer.ts";

/** One file that browsers load, in memory, plain and compressed. */
export type StaticFile = {
  readonly type: string;
  readonly etag: string;
  readonly plain: Uint8Array;
  readonly gzip: Uint8Array;
};

/** Reads a file to be served as that media type; throws if it can't be read. */
export function readStaticFile(name: string, type: string): StaticFile {
  const plain = new Uint8Array(readFileSync(name));
  const etag = `"${createHash("sha256").update(plain).digest("base64url").slice(0, 22)}"`;
  return { type, etag, plain, gzip: new Uint8Array(gzipSync(plain, { level: 9 })) };
}

/** The file, compressed for who can read that; 304 for who has it already. `headers` are those of its kind. */
export function answerFile(
  { headers: asked }: IncomingMessage,
  file: StaticFile,
  headers: Readonly<Record<string, string>>,
): Answer {
  const all = { ...headers, "Content-Type": file.type, ETag: file.etag, Vary: "Accept-Encoding" };
  if (asked["if-none-match"] === file.etag) return { status: 304, body: undefined, headers: all };
  const takesGzip = /\bgzip\b/.test(String(asked["accept-encoding"] ?? ""));
  return takesGzip
    ? { status: 200, body: file.gzip, headers: { ...all, "Content-Encoding": "gzip" } }
    : { status: 200, body: file.plain, headers: all };
}
