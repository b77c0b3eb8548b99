import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { answerFile, readStaticFile, type StaticFile } from "./static-file.ts";

const TEXT = "export const stile = 1;\n".repeat(20);
const TYPE = "text/javascript; charset=utf-8";

/** A file read with this content as its packed file. */
function readWith(beside: Uint8Array | undefined): StaticFile {
  const directory = mkdtempSync(join(tmpdir(), "stile-file-"));
  try {
    const name = join(directory, "stile.js");
    writeFileSync(name, TEXT);
    if (beside !== undefined) writeFileSync(`${name}.br`, beside);
    return readStaticFile(name, TYPE);
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function codingFor(file: StaticFile, accepted: string | undefined): unknown {
  const request = {
    headers: accepted === undefined ? {} : { "accept-encoding": accepted },
  } as IncomingMessage;
  const { status, headers, body } = answerFile(request, file, {});
  assert.deepEqual([status, headers?.Vary], [200, "Accept-Encoding"]);
  const coding = headers?.["Content-Encoding"];
  const bytes = body as Uint8Array;
  const plain =
    coding === "br" ? brotliDecompressSync(bytes) : coding === "gzip" ? gunzipSync(bytes) : bytes;
  assert.equal(Buffer.from(plain).toString(), TEXT);
  return coding;
}

test("sends Brotli if accepted, else gzip, else the plain file, also after a refusal by weight 0", () => {
  const file = readWith(brotliCompressSync(TEXT));
  for (const accepted of [
    "gzip, deflate, br, zstd",
    "br;q=0.1",
    "gzip;q=1.0,BR",
    "identity, br ;q=0.01",
  ])
    assert.equal(codingFor(file, accepted), "br", accepted);
  for (const accepted of ["gzip", "gzip, br;q=0", "gzip;q=0.5, br; q=0.000", "gzip, brotli"])
    assert.equal(codingFor(file, accepted), "gzip", accepted);
  for (const accepted of [undefined, "", "identity", "gzip;q=0, br;q=0", "x-gzip", "*"])
    assert.equal(codingFor(file, accepted), undefined, String(accepted));
});

test("reads only the first 256 characters of a header that no browser sends", () => {
  const file = readWith(brotliCompressSync(TEXT));
  assert.equal(codingFor(file, `${"x,".repeat(127)}br`), "br");
  assert.equal(codingFor(file, `${",".repeat(256)}br, gzip`), undefined);
});

test("falls back to gzip if the packed file is missing, outdated or broken", () => {
  const packed = brotliCompressSync(TEXT);
  for (const beside of [
    undefined,
    brotliCompressSync("export const stile = 0;\n"),
    packed.subarray(0, 9),
    Buffer.from(TEXT),
  ])
    assert.equal(codingFor(readWith(beside), "gzip, br"), "gzip");
});

test("answers 304 to a client that has the file in any compression", () => {
  const file = readWith(brotliCompressSync(TEXT));
  const { etag } = file;
  // Proxies that pack or unpack a file weaken its tag.
  for (const known of [etag, `W/${etag}`, `"other", W/${etag} , "more"`, "*"]) {
    const headers = { "accept-encoding": "br", "if-none-match": known };
    const { status, body } = answerFile({ headers } as unknown as IncomingMessage, file, {});
    assert.deepEqual([status, body], [304, undefined], known);
  }
  for (const other of [
    "",
    '"other"',
    `w/${etag}`,
    etag.slice(1, -1),
    `${",".repeat(256)}${etag}`,
  ]) {
    const headers = { "if-none-match": other };
    assert.equal(
      answerFile({ headers } as unknown as IncomingMessage, file, {}).status,
      200,
      other,
    );
  }
});
