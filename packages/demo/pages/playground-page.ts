import { mayAsk } from "@stile/core/domain/challenge/challenge";
import { checkTokenCode } from "@stile/protocol/check-token-code";
import { SITE_MODES, type SiteMode } from "@stile/protocol/site-settings";
import { html, type Markup } from "@stile/server/http/answer/html";
import { demoLayout } from "./demo-layout.ts";
import {
  type Choice,
  FAILURES,
  type Option,
  type Wishes,
  WRONG_SITE_KEY,
} from "./playground-choices.ts";
import { troubledAddress } from "./playground-trouble.ts";

/** The data that the page shows. */
export type PlaygroundParts = {
  readonly siteKey: string;
  /** The mode of the demo's site; undefined if it can't be read. */
  readonly siteMode: SiteMode | undefined;
  readonly choices: readonly Choice[];
  readonly wishes: Wishes;
};

const join = (parts: readonly Markup[]): Markup => ({
  markup: parts.map(({ markup }) => markup).join("\n"),
});

const optionOf = ({ value, label }: Option, chosen: string): Markup =>
  html`<option value="${value}"${value === chosen ? html` selected` : ""}>${label}</option>`;

function select(name: string, label: string, options: readonly Option[], chosen: string): Markup {
  return html`<div class="field"><label for="c-${name}">${label}</label>
<select id="c-${name}" name="${name}">
${join(options.map((option) => optionOf(option, chosen)))}
</select></div>`;
}

function text(name: string, label: string, value: string, hint = ""): Markup {
  const hinted = hint === "" ? "" : html` aria-describedby="h-${name}"`;
  return html`<div class="field"><label for="c-${name}">${label}</label>
<input id="c-${name}" name="${name}" value="${value}" autocomplete="off" spellcheck="false"${hinted}>${
    hint === "" ? "" : html`<small id="h-${name}">${hint}</small>`
  }</div>`;
}

function settings({ siteMode, choices, wishes }: PlaygroundParts): Markup {
  const modes = [
    {
      value: "",
      label: siteMode === undefined ? "The site's own" : `The site's own (${siteMode})`,
    },
    ...Object.keys(SITE_MODES).map((mode) => ({ value: mode, label: mode })),
  ];
  const failures = Object.entries(FAILURES).map(([value, { label }]) => ({ value, label }));
  const attributes = choices.map(({ name, label, options, hint }) => {
    const chosen = wishes.attributes.get(name) ?? "";
    return options === undefined
      ? text(name, label, chosen, hint)
      : select(name, label, options, chosen);
  });
  const leftOut = wishes.leftOut.length === 0 ? "" : ` Ignored: ${wishes.leftOut.join(", ")}.`;
  const hint = `As name=value, separated by spaces.${leftOut}`;
  return html`<form class="card settings" method="get" action="/playground" aria-labelledby="choose">
<h2 id="choose">Options</h2>
${select("failure", "What goes wrong", failures, wishes.failure)}
${select("mode", "Mode of the site", modes, wishes.mode ?? "")}
${join(attributes)}
${text("more", "More attributes", wishes.more, hint)}
<div class="actions"><button class="primary">Apply</button><a class="button" href="/playground">Reset</a></div>
</form>`;
}

/** A value for an HTML attribute in double quotes. */
const quoted = (value: string): string => value.replace(/&/g, "&amp;").replace(/"/g, "&quot;");

/** The address of the service if no script runs to fill in the real one. */
const EXAMPLE = "https://stile.example.org";

function snippet(
  siteKey: string,
  attributes: Wishes["attributes"],
  mode: SiteMode = "managed",
): Markup {
  const [before = "", after = ""] = checkTokenCode({
    baseUrl: EXAMPLE,
    hosts: '["www.example.org"]',
  }).split(EXAMPLE);
  // In modes that never ask for a click, every visitor gets a token. The server must therefore act
  // on a challenge.
  const rule = mayAsk(mode)
    ? `Accept the form if it is "allow".`
    : `Accept the form if it is "allow". Ask for a second step if it is "challenge".`;
  const all = [
    `sitekey="${siteKey}"`,
    ...[...attributes].map(([name, value]) => `${name}="${quoted(value)}"`),
  ];
  return html`<section class="snippet" aria-labelledby="copy">
<h2 id="copy">Code</h2>
<h3 id="in-page">On your page</h3>
<pre tabindex="0" role="region" aria-labelledby="in-page" id="page-code">&lt;script src="<span data-origin>${EXAMPLE}</span>/stile.js" async defer&gt;&lt;/script&gt;

&lt;stile-captcha ${all.join(" ")}&gt;&lt;/stile-captcha&gt;</pre>
<button class="copy" type="button" data-copy="page-code" hidden>Copy the code for your page</button>
<h3 id="on-server">On your server</h3>
<pre tabindex="0" role="region" aria-labelledby="on-server" id="server-code">${before}<span data-origin>${EXAMPLE}</span>${after}

// The token is the field stile-response. ${rule}
const { recommendation, reason } = await checkToken(token, remoteip, userAgent);</pre>
<button class="copy" type="button" data-copy="server-code" hidden>Copy the code for your server</button>
</section>`;
}

function stage(siteKey: string, { failure, mode, attributes }: Wishes): Markup {
  const set = [...attributes].map(([name, value]) => html` ${name}="${value}"`);
  const modeNote =
    mode === undefined
      ? ""
      : html` <b>Mode ${mode}:</b> ${SITE_MODES[mode]} The demo's site may still ask for more.`;
  const what = failure === "none" ? "" : html`<b>${FAILURES[failure].label}:</b> `;
  return html`<section class="stage" data-theme="${attributes.get("theme") ?? "auto"}" aria-labelledby="try">
<h2 id="try">Try it</h2>
<p class="note">${what}${FAILURES[failure].cause}${modeNote}</p>
<form class="card" id="form" method="post" action="/demo/submit" data-failure="${failure}">
<label for="name">Your name</label>
<input id="name" name="name" autocomplete="off" maxlength="200" placeholder="anything">
<stile-captcha sitekey="${siteKey}"${{ markup: set.map(({ markup }) => markup).join("") }}></stile-captcha>
<noscript><p class="note">JavaScript is off, so the widget does nothing. The form is submitted without a token, and the next page shows how the service refuses it.</p></noscript>
<button class="primary">Submit</button>
</form>
<p id="outcome" role="status"></p>
</section>`;
}

const RESULTS = html`<section class="results" aria-labelledby="log-title">
<h2 id="answer-title">What the form's server received</h2>
<pre tabindex="0" role="region" aria-labelledby="answer-title" id="answers">Nothing yet. Submit the form.</pre>
<p class="note">Only members who are signed in to the <a href="/dashboard">dashboard</a> see the score, because bots could
use it to practise.</p>
<h2>Timing</h2>
<dl id="speed">
<div><dt>Challenge</dt><dd data-span="loading">not yet</dd></div>
<div><dt>Work</dt><dd data-span="solving">not yet</dd></div>
<div><dt>Observation and verdict</dt><dd data-span="verifying">not yet</dd></div>
<div><dt>From start to token</dt><dd data-span="all">not yet</dd></div>
<div><dt>Work required</dt><dd data-work>not yet</dd></div>
<div><dt>Requests by this page</dt><dd data-requests>not yet</dd></div>
</dl>
<h2 id="log-title">Events</h2>
<table aria-labelledby="log-title">
<thead><tr><th scope="col">ms</th><th scope="col">Event</th><th scope="col">Detail</th></tr></thead>
<tbody id="log"><tr><td colspan="3">None yet. Touch the form.</td></tr></tbody>
</table>
</section>`;

/**
 * The playground: a form with the chosen widget, the widget's events, and the lines to copy for the
 * same widget elsewhere.
 */
export function playgroundPage(parts: PlaygroundParts): Markup {
  const { wishes, siteKey } = parts;
  const shownKey = wishes.failure === "wrong_key" ? WRONG_SITE_KEY : siteKey;
  const head = html`<link rel="stylesheet" href="/playground/playground.css">
<script src="${troubledAddress(wishes.mode, wishes.failure)}/stile.js" async defer></script>
<script src="/playground/playground.js" defer></script>`;
  const main = html`<h1>Playground</h1>
<p class="lead">Try the widget with every look, mode and failure. Apply reloads the page with your choices.</p>
<div class="columns">
${stage(shownKey, wishes)}
${settings(parts)}
${RESULTS}
${snippet(siteKey, wishes.attributes, wishes.mode ?? parts.siteMode)}
</div>
<p class="note"><a href="/demo">The demo</a> shows the same widget in an ordinary form.</p>`;
  return demoLayout("Playground", main, head);
}
