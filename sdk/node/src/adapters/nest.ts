import type { NodeRequest, Stile, VerifyOptions } from "../index.ts";

type ExecutionContext = { switchToHttp(): { getRequest(): NodeRequest } };

/** A NestJS guard for `@UseGuards(requirePerson(stile))`: lets a visitor on; Nest answers 403 else. */
export const requirePerson = (stile: Stile, options: VerifyOptions = {}) => ({
  canActivate: async (context: ExecutionContext): Promise<boolean> =>
    (await stile.verify(context.switchToHttp().getRequest(), options)).ok,
});
