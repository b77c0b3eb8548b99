import type { NodeRequest, Stile, Verification, VerifyOptions } from "../index.ts";

type H3Event = { readonly node: { readonly req: NodeRequest } };

/** Verifies the form of a Nuxt server route. `readBody(event)` finds the fields afterwards. */
export const verifyEvent = (
  stile: Stile,
  event: H3Event,
  options: VerifyOptions = {},
): Promise<Verification> => stile.verify(event.node.req, options);
