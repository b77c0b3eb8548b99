import { html, type Markup } from "@stile/server/http/answer/html";
import { demoLayout } from "./demo-layout.ts";
import type { CustomerRedemption, RedemptionRequest } from "./redeem-as-customer.ts";

/** The form that a visitor sees, with the widget in it. */
export function formPage(siteKey: string): Markup {
  const scripts = html`<script src="/stile.js" async defer></script>
<script src="/demo/demo.js" defer></script>`;
  const main = html`<h1>Sign in</h1>
<p class="lead">An ordinary form, protected by Stile. Enter anything you like.</p>
<form class="card" method="post" action="/demo/submit">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="off" maxlength="200" placeholder="you@example.com">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off" maxlength="200" placeholder="anything">
<stile-captcha sitekey="${siteKey}" action="demo" size="flexible"></stile-captcha>
<noscript><p class="note">JavaScript is off, so the widget does nothing and steps 1 to 4 below don't happen. You can still submit the form. It has no token, and the next page shows how the service refuses it.</p></noscript>
<button class="primary">Sign in</button>
</form>
<section aria-labelledby="steps">
<h2 id="steps">What happens</h2>
<ol class="steps">
<li data-step="loading">When you first touch the form, the widget asks the service for a challenge.</li>
<li data-step="solving">Your browser solves it in the background. It is a little work, which is expensive only for someone who does it a million times.</li>
<li data-step="verifying">Three seconds after your first touch, or as soon as you reach for the button, the widget sends the solution to the service, along with what kind of browser this is and how it was used.</li>
<li data-step="verified">The service issues a token, which is valid once and for five minutes, and the widget puts it into the form.</li>
<li>When you press “Sign in”, the form's server verifies the token and gets the verdict. The next page shows both.</li>
</ol>
</section>
<section aria-labelledby="yours">
<h2 id="yours">In your own form</h2>
<pre tabindex="0">&lt;script src="<span data-origin>https://stile.example.org</span>/stile.js" async defer&gt;&lt;/script&gt;

&lt;stile-captcha sitekey="pk_…"&gt;&lt;/stile-captcha&gt;</pre>
<p class="note">In the <a href="/dashboard">dashboard</a> you create a site with its own keys, and find the code for your page and your
server. The <a href="/playground">playground</a> shows every look, mode and failure.</p>
</section>`;
  return demoLayout("Demo: sign in", main, scripts);
}

type ResultWords = { readonly title: string; readonly meaning: string };

function verdictOf(redemption: CustomerRedemption): ResultWords {
  if (redemption.kind === "unavailable") {
    const meaning =
      "The service did not answer within 10 seconds. Your server decides whether to accept the form then. This demo does not.";
    return { title: "No verdict", meaning };
  }
  if (redemption.hasPassed) {
    const meaning =
      "The token was valid and is now used up. A real server would now check the password.";
    return { title: "Verified", meaning };
  }
  const { reasonCode } = redemption.answer as { readonly reasonCode?: unknown };
  switch (reasonCode) {
    case "token_already_used":
      return {
        title: "Refused",
        meaning:
          "This token has already been used. Each token is valid only once, so a copied one is worthless.",
      };
    case "missing_token":
      return {
        title: "Refused",
        meaning:
          "The form came without a token. The widget had not finished or could not reach the service, JavaScript was off, or the form was not sent by a browser at all.",
      };
    case "token_expired":
      return {
        title: "Refused",
        meaning:
          "The token was too old. While a page is in use, the widget gets a new token before that happens.",
      };
    default:
      return {
        title: "Refused",
        meaning: "The service refused this token. The answer below gives the reason.",
      };
  }
}

function answerText(redemption: CustomerRedemption): string {
  return redemption.kind === "answered"
    ? `HTTP ${redemption.status}\n${JSON.stringify(redemption.answer, null, 2)}`
    : "no answer";
}

const SCORE_LEFT_OUT = html`<p class="note">The score is left out here. A form's server gets it, but visitors never see it, because bots could use it to
practise. Members who are signed in to the <a href="/dashboard">dashboard</a> see it on this page.</p>`;

/**
 * The request of the customer's server, the answer, and its meaning. The page says so if the score
 * is left out.
 */
export function resultPage(
  request: RedemptionRequest,
  redemption: CustomerRedemption,
  hasScore: boolean,
): Markup {
  const { title, meaning } = verdictOf(redemption);
  const hasPassed = redemption.kind === "answered" && redemption.hasPassed;
  const again =
    request.token === ""
      ? ""
      : html`<form method="post" action="/demo/submit">
<input type="hidden" name="stile-response" value="${request.token}">
<button>Send the same token again</button>
</form>`;
  const main = html`<h1 class="${hasPassed ? "passed" : "refused"}">${title}</h1>
<p class="lead">${meaning}</p>
<div class="actions">${again}<a class="button" href="/demo">Back to the form</a></div>
<h2>What the form's server sent</h2>
<pre tabindex="0">POST /api/v1/token/verify
Authorization: Bearer sk_… (the site's secret key, which never leaves the server)

${JSON.stringify(request, null, 2)}</pre>
<h2>What the service answered</h2>
<pre tabindex="0" id="answer">${answerText(redemption)}</pre>
${hasScore || redemption.kind === "unavailable" ? "" : SCORE_LEFT_OUT}`;
  return demoLayout(`Demo: ${title.toLowerCase()}`, main, "");
}
