import { randomBytes } from "node:crypto";
import { closeSync, openSync } from "node:fs";

const PRIVATE_FILE = 0o600;

/**
 * Makes an empty file beside `file`, for its owner alone and under a name that nobody can foresee, and answers its path. In a folder
 * that others write to, a file of a foreseen name may be theirs, or a link to somewhere else.
 */
export function makePrivateDraft(file: string): string {
  const draft = `${file}.${randomBytes(6).toString("hex")}.part`;
  closeSync(openSync(draft, "wx", PRIVATE_FILE));
  return draft;
}
