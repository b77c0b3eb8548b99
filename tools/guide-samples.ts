// `node tools/guide-samples.ts`: writes docs/guide/samples.md, the dashboard's code for a site, for
// readers without a site.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pageSnippets } from "@stile/dashboard/features/sites/install/page-snippets";
import { serverSnippets } from "@stile/dashboard/features/sites/install/server-snippets";
import type { Snippet } from "@stile/dashboard/features/sites/install/snippet";

/** The page of the guide. */
export const PAGE = join(import.meta.dirname, "..", "docs", "guide", "samples.md");

const SITE = {
  baseUrl: "https://captcha.example.org",
  siteKey: "pk_...",
  domains: ["shop.example"],
  mode: "managed" as const,
  noScript: "off" as const,
  theme: "auto" as const,
  language: "auto" as const,
};

/** The languages that also have an SDK: its folder in `sdk/`, and its form. */
const SDKS: Readonly<Record<string, string>> = {
  php: "a single file",
  python: "a single file",
  go: "a module",
};

const sdkSentence = (id: string): string =>
  SDKS[id] === undefined
    ? ""
    : `[\`sdk/${id}\`](../../sdk/${id}/README.md) does the same as ${SDKS[id]}, with a retry and checked options.\n\n`;
const section = ({ id, label, language, code }: Snippet): string =>
  `### ${label}\n\n${sdkSentence(id)}\`\`\`${language}\n${code}\n\`\`\`\n`;
const linkTo = ({ label }: Snippet): string => `[${label}](#${label.toLowerCase()})`;

/** The sample for Express needs this code as well if the mode never asks. */
function secondStepCode(): string {
  const code = serverSnippets({ ...SITE, mode: "invisible" })[0]?.code ?? "";
  const [step = ""] = /^\/\/ Write your own second step.*?^}$/ms.exec(code) ?? [];
  const [branch = ""] = /^ +if \(recommendation === "challenge"\).*$/m.exec(code) ?? [];
  return `${step}\n\n// in the route\n${branch.trim()}`;
}

/** The text of the page. */
export function writeSamples(): string {
  const [inPage, onServer] = [pageSnippets(SITE), serverSnippets(SITE)];
  return `# Code for your page and your server

In your page: ${inPage.map(linkTo).join(", ")}. On your server: ${onServer.map(linkTo).join(", ")}.

Replace \`captcha.example.org\` with the address of your service, \`shop.example\` with your domain and \`pk_...\` with your site
key, and give your server the secret key as \`STILE_SECRET\`. The Install page of your site in the dashboard has the same code
filled in, and for the modes Invisible and Non-interactive also the [second step](#the-second-step).

## In your page

${inPage.map(section).join("\n")}
## On your server

\`checkToken\` redeems the token of the form's field \`stile-response\` and returns what to do: \`allow\`, \`challenge\` or \`block\`. A
refused token never lets anybody in. If the service gives no verdict (a 5xx, or no answer in 10 s), the code refuses; its comment shows how
to decide otherwise. If it refuses everybody, [forms](forms.md#forms-that-the-browser-sends) lists the causes.

Read \`data.verified\`, as these samples do, and never \`success\`: it is true even for a wrong secret key
([D2](../reference/contract.md#d2)).

### Behind a proxy

A token is bound to the network of the visitor who earned it. \`remoteip\` has to be the visitor's address. If it is the address of your
proxy, everybody is refused with \`binding_mismatch\`; if visitors can choose it, the binding proves nothing.

| sample | without a proxy | behind a proxy |
|---|---|---|
| Express, Fastify | nothing to do | A proxy on the same machine or in a private network is trusted. For another one, name its addresses in \`trust proxy\` or \`trustProxy\`. The proxy sets \`X-Forwarded-For\`. |
| Next | A proxy is needed; without \`X-Real-IP\` the address is not compared. | The proxy overwrites \`X-Real-IP\`. |
| PHP | nothing to do | nginx: \`set_real_ip_from\` and \`real_ip_header\`; Apache: \`mod_remoteip\`. |
| Python | nothing to do | Set \`PROXIES\` to how many proxies of yours are in front. Each sets \`X-Forwarded-For\`. |
| Go | nothing to do | Set \`behindProxy\`. The proxy overwrites \`X-Real-IP\`. |

nginx: \`proxy_set_header X-Real-IP $remote_addr;\` and \`proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;\`. Caddy:
\`header_up X-Real-IP {remote_host}\`; it sets \`X-Forwarded-For\` anyway.

### The second step

In the modes Invisible and Non-interactive nobody can be asked for a click, so the recommendation may be \`challenge\`
([modes](dashboard.md#modes)). The code for such a site then calls \`secondStep\`, which is yours to write: a code by email, a review
by a person. Until you write it, it refuses. For Express:

\`\`\`js
${secondStepCode()}
\`\`\`

${onServer.map(section).join("\n")}
<!-- Written by \`node tools/guide-samples.ts\` from the code of the dashboard's Install page. -->
`;
}

if (import.meta.main) writeFileSync(PAGE, writeSamples());
