// `node tools/common-passwords.ts LIST`: writes the digests of the passwords that attackers try
// first, from a list with one password a line, the most used first (such as SecLists'
// 10-million-password-list-top-1000000.txt).
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { foldPassword } from "@stile/core/domain/account/common-passwords";
import { PASSWORD_CHARACTERS } from "@stile/core/domain/account/credentials-rules";

const TARGET = join(
  import.meta.dirname,
  "..",
  "packages",
  "core",
  "domain",
  "account",
  "common-password-digests.ts",
);
const COUNT = 3000;
const BYTES = 8;
const PER_LINE = 11;

/**
 * Passwords that became common after the list was made (2015), or that an administrator thinks of
 * first.
 */
const SINCE = [
  ...[
    "abc1234567",
    "admin12345",
    "admin123456",
    "changeme123",
    "dragon12345",
    "michelle123",
    "monkey12345",
  ],
  ...[
    "p@ssw0rd123",
    "p@ssword123",
    "passw0rd123",
    "sunshine123",
    "test123456",
    "testtest12",
    "welcome1234",
  ],
];

/**
 * The first passwords of the list that our own rules would otherwise allow, folded as the check
 * folds them.
 */
function choose(list: string): string[] {
  const folded = list.split(/\r?\n/).map(foldPassword);
  const long = folded.filter((password) => [...password].length >= PASSWORD_CHARACTERS.min);
  return [...new Set([...[...new Set(long)].slice(0, COUNT), ...SINCE])];
}

function digestOf(password: string): string {
  return createHash("sha256").update(password).digest().subarray(0, BYTES).toString("base64url");
}

function toModule(digests: readonly string[]): string {
  const lines = Array.from({ length: Math.ceil(digests.length / PER_LINE) }, (_, at) =>
    digests.slice(at * PER_LINE, (at + 1) * PER_LINE).join(""),
  );
  return [
    "/** The first 8 bytes of the SHA-256 of each common password, base64url, 11 characters each; made by tools/common-passwords.ts. */",
    "export const COMMON_PASSWORD_DIGESTS = `",
    ...lines,
    "`;",
    "",
  ].join("\n");
}

const [file] = process.argv.slice(2);
if (file === undefined) {
  process.stderr.write("Usage: node tools/common-passwords.ts LIST\n");
  process.exit(2);
}
const chosen = choose(readFileSync(file, "utf8"));
// Sorted, so that the file does not reveal which is used most.
writeFileSync(TARGET, toModule(chosen.map(digestOf).sort()));
process.stdout.write(`${chosen.length} passwords\n`);
