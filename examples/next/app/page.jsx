import { Stile } from "@stile/react";

const { CAPTCHA_URL, SITE_KEY } = process.env;

export default function SignUp() {
  return (
    <form method="post" action="/sign-up">
      <label>
        Email <input name="email" type="email" required />
      </label>
      <Stile baseUrl={CAPTCHA_URL} siteKey={SITE_KEY} />
      <button type="submit">Sign up</button>
    </form>
  );
}
