import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import type { Answer } from "../answer/answer.ts";

/** One file that browsers load, in memory. */
export type StaticFile = {
  readonly type: string;
  readonly etag: string;
  readonly plain: Uint8Array;
  /** Packed when somebody first asks for it so, which few do: browsers take Brotli. */
  readonly gzip: () => Uint8Array;
  /** As the build left it beside the file; it takes too long for a start. */
  readonly brotli?: Uint8Array | undefined;
};

/** A file that browsers load was not built. */
export class BuildMissing extends Error {
  override readonly name = "BuildMissing";
}

/** Throws BuildMissing, which says what makes it. */
export function checkBuilt(name: string): void {
  if (!existsSync(name)) throw new BuildMissing(`${name} is missing. Start with "npm start", which builds it.`);
}

/** What lies beside a file as `NAME.br`; undefined where there is none, or where it is none of this content. */
function readBrotli(name: string, plain: Uint8Array): Uint8Array | undefined {
  if (!existsSync(`${name}.br`)) return undefined;
  const packed = new Uint8Array(readFileSync(`${name}.br`));
  try {
    return brotliDecompressSync(packed).equals(plain) ? packed : undefined;
  } catch {
    return undefined;
  }
}

/** Reads a file to be served as that media type; throws if it can't be read. */
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

/** Of an `Accept-Encoding`, in characters: browsers send a tenth of it, and each comma is looked at. */
const MAX_CODINGS = 256;

/** Whether a list of codings, as in `Accept-Encoding`, takes that one. */
const takes = (list: string, coding: string): boolean =>
  list.split(",").some((part) => {
    const [name, weight = ""] = part.split(";");
    return name?.trim().toLowerCase() === coding && !/^\s*q=0(\.0*)?\s*$/i.test(weight);
  });

/** The file, compressed for who can read that; 304 for who has it already. `headers` are those of its kind. */
export function answerFile(
  { headers: asked }: IncomingMessage,
  { type, etag, plain, gzip, brotli }: StaticFile,
  headers: Readonly<Record<string, string>>,
): Answer {
  const all = { ...headers, "Content-Type": type, ETag: etag, Vary: "Accept-Encoding" };
  if (asked["if-none-match"] === etag) return { status: 304, body: undefined, headers: all };
  const list = String(asked["accept-encoding"] ?? "").slice(0, MAX_CODINGS);
  if (brotli && takes(list, "br")) return { status: 200, body: brotli, headers: { ...all, "Content-Encoding": "br" } };
  if (takes(list, "gzip")) return { status: 200, body: gzip(), headers: { ...all, "Content-Encoding": "gzip" } };
  return { status: 200, body: plain, headers: all };
}
