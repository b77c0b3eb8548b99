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

const NODE = serverSnippets(SITE).filter(({ language }) => language === "js");

/** What the code of all frameworks for Node shares: `checkToken`, and what follows without a verdict. */
function sharedCode(): string {
  const [shared] = /^const HOSTS.*^const noVerdict[^\n]*$/ms.exec(NODE[0]?.code ?? "") ?? [];
  if (shared === undefined || NODE.some(({ code }) => !code.includes(shared)))
    throw new Error("The samples for Node no longer share checkToken.");
  return shared;
}

const withoutShared = (snippet: Snippet): Snippet => ({
  ...snippet,
  code: snippet.code.replace(sharedCode(), "// HOSTS, checkToken and noVerdict, as above"),
});

const section = ({ label, language, code }: Snippet): string =>
  `### ${label}\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;
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
  const inPage = pageSnippets(SITE);
  return `# Code for your page and your server

In your page: ${inPage.map(linkTo).join(", ")}. On your server: ${NODE.map(linkTo).join(", ")},
[PHP](../../sdk/php/README.md), [Python](../../sdk/python/README.md), [Go](../../sdk/go/README.md).

Replace \`captcha.example.org\` with the address of your service, \`shop.example\` with your domain and \`pk_...\` with your site
key, and give your server the secret key as \`STILE_SECRET\`. The Install page of your site in the dashboard has all code filled
in, also for PHP, Python and Go without an SDK.

## In your page

${inPage.map(section).join("\n")}
## On your server

\`checkToken\` redeems the token of the form's field \`stile-response\` and returns what to do: \`allow\`, \`challenge\` or \`block\`. A
refused token never lets anybody in. If your server refuses everybody, [forms](forms.md#forms-that-the-browser-sends) lists the
causes. For Node there is also [an SDK](../../sdk/node/README.md).

Read \`data.verified\`, as these samples do, and never \`success\`: it is true even for a wrong secret key
([D2](../reference/contract.md#d2)).

\`\`\`js
${sharedCode()}
\`\`\`

${NODE.map(withoutShared).map(section).join("\n")}
### Behind a proxy

A token is bound to the network of the visitor who earned it. If \`remoteip\` is the address of your proxy, everybody is refused
with \`binding_mismatch\`; if visitors can choose it, the binding proves nothing.

| code | what to set up |
|---|---|
| Express, Fastify | A proxy on the same machine or in a private network is trusted. For another one, name its addresses in \`trust proxy\` or \`trustProxy\`. The proxy sets \`X-Forwarded-For\`. |
| Next | A proxy that overwrites \`X-Real-IP\`. Without it the address is not compared. |
| PHP | nginx: \`set_real_ip_from\` and \`real_ip_header\`; Apache: \`mod_remoteip\`. |
| Python | \`ProxyFix\` of Werkzeug, or \`PROXIES\` of the Install page: how many proxies of yours are in front. Each sets \`X-Forwarded-For\`. |
| Go | \`RemoteIP\` of the SDK, or \`behindProxy\` of the Install page. The proxy overwrites \`X-Real-IP\`. |

nginx: \`proxy_set_header X-Real-IP $remote_addr;\` and \`proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;\`. Caddy:
\`header_up X-Real-IP {remote_host}\`; it sets \`X-Forwarded-For\` anyway.

### The second step

In the modes Invisible and Non-interactive nobody can be asked for a click, so the recommendation may be \`challenge\`
([modes](dashboard.md#modes)). The Install page's code then calls \`secondStep\`, which is yours to write: a code by email, a review
by a person. Until you write it, it refuses. For Express:

\`\`\`js
${secondStepCode()}
\`\`\`

<!-- Written by \`node tools/guide-samples.ts\` from the code of the dashboard's Install page. -->
`;
}

if (import.meta.main) writeFileSync(PAGE, writeSamples());
