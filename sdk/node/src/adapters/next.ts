import type { Stile, VerifyOptions } from "../index.ts";

type Handler<Rest extends unknown[]> = (
  request: Request,
  ...rest: Rest
) => Promise<Response> | Response;

/** Wraps a Next route handler: lets a visitor on, or answers 403. Your proxy sets `X-Real-IP`. */
export const requirePerson =
  <Rest extends unknown[]>(stile: Stile, handle: Handler<Rest>, options: VerifyOptions = {}) =>
  async (request: Request, ...rest: Rest): Promise<Response> => {
    const remoteIp = request.headers.get("x-real-ip");
    const { ok } = await stile.verify(request, { remoteIp, ...options });
    return ok ? handle(request, ...rest) : new Response("Please try again.", { status: 403 });
  };
