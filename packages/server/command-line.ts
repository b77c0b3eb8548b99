import { existsSync } from "node:fs";
import { join } from "node:path";

const CHECKOUT = join(import.meta.dirname, "..", "..", "package.json");

/** A checkout runs commands with npm. The container image has them as programs, and no npm. */
const isCheckout = existsSync(CHECKOUT);

/** How an operator calls the command line. */
export const COMMAND_LINE = isCheckout ? "npm run stile --" : "stile";

/** How an operator starts the service with options. */
export const START = isCheckout ? "npm start --" : "docker run IMAGE";
