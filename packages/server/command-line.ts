import { existsSync } from "node:fs";
import { join } from "node:path";

const CHECKOUT = join(import.meta.dirname, "..", "..", "package.json");

/** How an operator calls the command line: by npm in a checkout; the container image has a program instead, and no npm. */
export const COMMAND_LINE = existsSync(CHECKOUT) ? "npm run stile --" : "stile";
