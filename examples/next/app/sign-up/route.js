import { createStile } from "@stile/server-sdk";
import { requirePerson } from "@stile/server-sdk/next";

const { CAPTCHA_URL, STILE_SECRET } = process.env;
const stile = createStile({ baseUrl: CAPTCHA_URL, secretKey: STILE_SECRET });

export const POST = requirePerson(stile, async (request) => {
  const form = await request.formData();
  return new Response(`Welcome, ${form.get("email")}`);
});
