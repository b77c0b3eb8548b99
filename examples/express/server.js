import { createStile } from "@stile/server-sdk";
import { requirePerson } from "@stile/server-sdk/express";
import express from "express";

const { CAPTCHA_URL, SITE_KEY, STILE_SECRET, PORT = 3000 } = process.env;
const stile = createStile({ baseUrl: CAPTCHA_URL, secretKey: STILE_SECRET });

const PAGE = `<!doctype html>
<html lang="en">
  <title>Sign up</title>
  <style>stile-captcha:not(:defined) { display: block; min-height: 66px }</style>
  <script src="${CAPTCHA_URL}/stile.js" async defer></script>
  <form method="post" action="/sign-up">
    <label>Email <input name="email" type="email" required></label>
    <stile-captcha sitekey="${SITE_KEY}"></stile-captcha>
    <button>Sign up</button>
  </form>
</html>`;

const app = express();
app.get("/", (_request, response) => response.send(PAGE));
app.post(
  "/sign-up",
  express.urlencoded({ extended: false }),
  requirePerson(stile),
  (request, response) => response.type("text").send(`Welcome, ${request.body.email}`),
);
app.listen(PORT);
