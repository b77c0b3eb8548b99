import { readFileSync, renameSync, writeFileSync } from "node:fs";

/** What a node wrote to the database last: its name, how often it wrote, and when by the database's clock. */
export type NodeMark = { readonly node: string; readonly number: number; readonly atMs: number };

const PRIVATE_FILE = 0o600;

/** What the file holds; undefined if there is none, `damaged` if it holds anything else. */
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

/** Puts the mark in place, whole. */
export function writeNodeMark(file: string, { node, number, atMs }: NodeMark): void {
  const draft = `${file}.new`;
  writeFileSync(draft, `${node} ${number} ${atMs}\n`, { mode: PRIVATE_FILE, flush: true });
  renameSync(draft, file);
}
