import type { NodeRequest, Stile, Verification, VerifyOptions } from "../index.ts";

type Response = { status(code: number): { send(body: string): unknown } };
type Refuse = (request: NodeRequest, response: Response, found: Verification) => unknown;

const answerPlainly: Refuse = (_request, response) =>
  response.status(403).send("Please go back and try again.");

/** Express middleware: lets a visitor on, or answers 403. Put it behind your body parser. */
export const requirePerson =
  (
    stile: Stile,
    { onRefused = answerPlainly, ...options }: VerifyOptions & { readonly onRefused?: Refuse } = {},
  ) =>
  async (request: NodeRequest, response: Response, next: () => void): Promise<void> => {
    const found = await stile.verify(request, options);
    if (found.ok) next();
    else await onRefused(request, response, found);
  };
