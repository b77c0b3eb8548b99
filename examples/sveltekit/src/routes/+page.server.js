import { createStile } from "@stile/server-sdk";
import { verifyEvent } from "@stile/server-sdk/sveltekit";
import { error } from "@sveltejs/kit";

const { CAPTCHA_URL, SITE_KEY, STILE_SECRET } = process.env;
const stile = createStile({ baseUrl: CAPTCHA_URL, secretKey: STILE_SECRET });

export const load = () => ({ baseUrl: CAPTCHA_URL, siteKey: SITE_KEY });

export const actions = {
  default: async (event) => {
    const { ok } = await verifyEvent(stile, event);
    if (!ok) error(403, "Please try again.");
    const form = await event.request.formData();
    return { email: form.get("email") };
  },
};
