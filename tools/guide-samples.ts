// `node tools/guide-samples.ts`: writes docs/guide/samples.md, the dashboard's code for a site, for those who have none yet.
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
  thresholds: { challenge: 0.3, block: 0.6 },
};

const section = ({ label, language, code }: Snippet): string => `### ${label}\n\n\`\`\`${language}\n${code}\n\`\`\`\n`;
const linkTo = ({ label }: Snippet): string => `[${label}](#${label.toLowerCase()})`;

/** The text of the page. */
export function writeSamples(): string {
  const [inPage, onServer] = [pageSnippets(SITE), serverSnippets(SITE)];
  return `# Code for your page and your server

In your page: ${inPage.map(linkTo).join(", ")}. On your server: ${onServer.map(linkTo).join(", ")}.

Replace \`captcha.example.org\` with the address of your service, \`shop.example\` with your domain and \`pk_...\` with your site
key, and give your server the secret key as \`STILE_SECRET\`. The Install page of your site in the dashboard has the same code
filled in, and for the modes Invisible and Non-interactive it also compares the score ([modes](dashboard.md#modes)).

## In your page

${inPage.map(section).join("\n")}
## On your server

\`checkToken\` takes the token from the form's field \`stile-response\`. It fails if the service can't decide: show the visitor
an error and let them try again.

${onServer.map(section).join("\n")}
<!-- Written by \`node tools/guide-samples.ts\` from the code of the dashboard's Install page. -->
`;
}

if (import.meta.main) writeFileSync(PAGE, writeSamples());
