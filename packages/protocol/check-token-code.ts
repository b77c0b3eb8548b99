/** Where the customer's pages are, and the service. */
export type CheckTokenFacts = {
  readonly baseUrl: string;
  /** Hosts as a JSON list: only tokens that were solved on them count. */
  readonly hosts: string;
};

/**
 * The function for a Node server that redeems a token. The README, every sample for Node and the
 * playground use this one.
 */
export function checkTokenCode({ baseUrl, hosts }: CheckTokenFacts): string {
  return `const HOSTS = ${hosts}; // where your pages are

// Resolves to a recommendation (allow, challenge or block) and its reason. A refused token is
// always "block". Rejects if Stile gives no verdict: a 5xx, or no answer in 10 s. What happens then
// is your decision.
async function checkToken(token, remoteip, userAgent) {
  const response = await fetch("${baseUrl}/api/v1/token/verify", {
    method: "POST",
    headers: { Authorization: \`Bearer \${process.env.STILE_SECRET}\`, "Content-Type": "application/json" },
    body: JSON.stringify({ token, remoteip, user_agent: userAgent }),
    signal: AbortSignal.timeout(10_000),
  });
  const answered = \`Stile answered \${response.status}\`;
  if (response.status >= 500) throw new Error(answered);
  const { data } = response.ok ? await response.json() : {};
  if (data?.verified !== true) return { recommendation: "block", reason: data?.reasonCode ?? answered };
  if (!HOSTS.some((host) => \`.\${data.hostname}\`.endsWith(\`.\${host}\`)))
    return { recommendation: "block", reason: \`solved on \${data.hostname}, not on \${HOSTS.join(" or ")}\` };
  return { recommendation: data.recommendation, reason: \`score \${data.score}\` };
}`;
}
