import type { Stile } from "./stile.js";

export type * from "./stile.js";

/**
 * Adds the script of that service to the page, once, and resolves to `window.stile`. Rejects with a
 * TypeError if `baseUrl` is not an address, and with an Error if the script does not load; the next
 * call then tries again.
 */
export declare function loadStile(baseUrl: string): Promise<Stile>;
