import type { NodeRequest, Stile, VerifyOptions } from "../index.ts";

type Reply = { code(status: number): { send(body: string): unknown } };

/** A Fastify `preHandler` hook: lets a visitor on, or answers 403. */
export const requirePerson =
  (stile: Stile, options: VerifyOptions = {}) =>
  async (request: NodeRequest, reply: Reply): Promise<unknown> => {
    const { ok } = await stile.verify(request, options);
    return ok ? undefined : reply.code(403).send("Please go back and try again.");
  };
