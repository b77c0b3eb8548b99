import type { Stile, VerifyOptions } from "../index.ts";

type Context = {
  readonly req: { readonly raw: Request };
  text(body: string, status: 403): Response;
};

/** Hono middleware: lets a visitor on, or answers 403. `remoteIp` says how to find the address. */
export const requirePerson =
  <C extends Context>(
    stile: Stile,
    options: Omit<VerifyOptions, "remoteIp"> & {
      readonly remoteIp?: (c: C) => string | null | undefined;
    } = {},
  ) =>
  async (c: C, next: () => Promise<void>): Promise<Response | undefined> => {
    const { ok } = await stile.verify(c.req.raw, { ...options, remoteIp: options.remoteIp?.(c) });
    if (ok) await next();
    return ok ? undefined : c.text("Please go back and try again.", 403);
  };
