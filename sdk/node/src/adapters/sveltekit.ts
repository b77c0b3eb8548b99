import type { Stile, Verification, VerifyOptions } from "../index.ts";

type RequestEvent = { readonly request: Request; getClientAddress(): string };

/** Verifies the form of a SvelteKit action or endpoint: `if (!(await verifyEvent(stile, event)).ok) ...` */
export const verifyEvent = (
  stile: Stile,
  event: RequestEvent,
  options: VerifyOptions = {},
): Promise<Verification> =>
  stile.verify(event.request, { remoteIp: event.getClientAddress(), ...options });
