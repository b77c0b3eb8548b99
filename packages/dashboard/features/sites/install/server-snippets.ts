import type { SiteData } from "@stile/protocol/dashboard-api";
import { isTestingHost } from "../testing-host.ts";
import { goSnippet } from "./go-snippet.ts";
import { nodeSnippets } from "./node-snippets.ts";
import { phpSnippet } from "./php-snippet.ts";
import { pythonSnippet } from "./python-snippet.ts";
import type { ServerTerms, Snippet } from "./snippet.ts";

/**
 * The facts that fill in the server's code. The secret key is not part of it: servers read it from
 * their environment.
 */
export type ServerFacts = Pick<SiteData, "domains" | "mode"> & { readonly baseUrl: string };

/**
 * The code for the customer's server: redeems the token, checks `verified` and `hostname`, waits at
 * most 10 s (spec 4.1), and follows the recommendation; a `challenge` leads to a second step where
 * the mode asks nobody (D9, submission).
 */
export function serverSnippets(facts: ServerFacts): readonly Snippet[] {
  // Anyone who can open localhost can solve there: a production server accepts only real hosts, if
  // there are any.
  const real = facts.domains.filter((domain) => !isTestingHost(domain));
  const hosts = JSON.stringify(real.length > 0 ? real : facts.domains).replaceAll(",", ", ");
  const isAsked = facts.mode === "managed" || facts.mode === "interactive";
  const terms: ServerTerms = { baseUrl: facts.baseUrl, hosts, isAsked };
  return [...nodeSnippets(terms), phpSnippet(terms), pythonSnippet(terms), goSnippet(terms)];
}
