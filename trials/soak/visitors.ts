/**
 * How many visitors there are, each with an address in a network (/24) of its own and with its own
 * browser.
 */
export const VISITORS = 200_000;

/** A visitor of the service. */
export type Visitor = { readonly address: string; readonly userAgent: string };

/** The visitor with that number; numbers beyond VISITORS start over. */
export function visitorOf(number: number): Visitor {
  const at = number % VISITORS;
  const address = `${45 + (at >> 16)}.${(at >> 8) & 255}.${at & 255}.7`;
  const userAgent = `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.${at}.0 Safari/537.36`;
  return { address, userAgent };
}
