import type { Stile } from "../index.ts";

const PROTECTED = ["/sign-up/email", "/sign-in/email", "/request-password-reset"];

/**
 * A better-auth plugin. The page sends the token in the header `x-captcha-response`. A web request
 * does not know its visitor's address, so the token's network is not compared.
 */
export const stileCaptcha = (stile: Stile, endpoints: readonly string[] = PROTECTED) => ({
  id: "stile",
  async onRequest(request: Request): Promise<{ response: Response } | undefined> {
    if (!endpoints.some((path) => new URL(request.url).pathname.includes(path))) return undefined;
    const userAgent = request.headers.get("user-agent");
    const token = request.headers.get("x-captcha-response");
    const { ok, reason } = await stile.verify(token, { userAgent });
    const refusal = { code: "CAPTCHA_FAILED", message: reason };
    return ok ? undefined : { response: Response.json(refusal, { status: 403 }) };
  },
});
