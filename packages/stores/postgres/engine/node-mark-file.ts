import { readFileSync, renameSync, writeFileSync } from "node:fs";

/**
 * A node's last write to the database: the node's name, how often it has written, and when, by the
 * database's clock.
 */
export type NodeMark = { readonly node: string; readonly number: number; readonly atMs: number };

const PRIVATE_FILE = 0o600;

/** The content of the file; undefined if there is no file, `damaged` if it has anything else. */
export function readNodeMark(file: string): NodeMark | "damaged" | undefined {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
  const [, node, number, atMs] = /^([\w-]{1,64}) (\d{1,15}) (\d{1,15})\n$/.exec(text) ?? [];
  return node === undefined ? "damaged" : { node, number: Number(number), atMs: Number(atMs) };
}

/** Replaces the mark as a whole. */
export function writeNodeMark(file: string, { node, number, atMs }: NodeMark): void {
  const draft = `${file}.new`;
  writeFileSync(draft, `${node} ${number} ${atMs}\n`, { mode: PRIVATE_FILE, flush: true });
  renameSync(draft, file);
}
