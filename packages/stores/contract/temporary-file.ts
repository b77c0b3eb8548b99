import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

/** Path of a database in a directory of its own, which goes when the test ends. */
export function temporaryFile(context: TestContext): string {
  const directory = mkdtempSync(join(tmpdir(), "stile-store-"));
  context.after(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, "stile.sqlite");
}
