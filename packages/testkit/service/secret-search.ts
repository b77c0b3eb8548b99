import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { RunningService } from "./service.ts";

/** Files that may hold a secret (D16, operator; D4, sealed token). */
const SECRET_FILES = ["demo.json", "master.key"];

/**
 * All output of the service: its files by name, except those that may hold secrets, and its log.
 */
export function readWritten(service: RunningService): ReadonlyMap<string, Buffer> {
  const names = readdirSync(service.dataDirectory).filter((name) => !SECRET_FILES.includes(name));
  const files = names.map(
    (name) => [name, readFileSync(join(service.dataDirectory, name))] as const,
  );
  return new Map([...files, ["the log", Buffer.from(service.log())]]);
}

/** Every form in which bytes could have been written. */
export function formsOfBytes(bytes: Buffer): Buffer[] {
  const encodings = ["base64", "base64url", "hex"] as const;
  return [
    bytes,
    ...encodings.map((encoding) => Buffer.from(bytes.toString(encoding).replace(/=+$/, ""))),
  ];
}

/** Every form in which a text could have been written. */
export function formsOf(text: string): Buffer[] {
  return [...formsOfBytes(Buffer.from(text)), Buffer.from(text, "utf16le")];
}

/** Finds which canary is in which file. */
export function findWritten(
  written: ReadonlyMap<string, Buffer>,
  canaries: Readonly<Record<string, readonly Buffer[]>>,
): string[] {
  return Object.entries(canaries).flatMap(([name, forms]) =>
    [...written]
      .filter(([, bytes]) => forms.some((form) => bytes.includes(form)))
      .map(([file]) => `${name} in ${file}`),
  );
}
