// `npm run solve`: a command-line visitor that earns tokens from a running service, for load and
// smoke tests. Imports by path: a production install links no test packages.
import {
  earnToken,
  type SolvedToken,
  USER_AGENT,
} from "../packages/testkit/minting/solver-client.ts";
import { readOptions, refuseCall } from "./read-options.ts";

const HELP = `Usage: npm run solve -- --base-url URL --site-key KEY --origin ORIGIN [--action NAME] [--count N] [--json]

  --base-url   Address of the service, such as http://127.0.0.1:8787
  --site-key   The site's public key, pk_...
  --origin     The page it claims to be on, such as http://localhost; one of the site's domains
  --action     Action name to put into the token
  --count      How many tokens to earn (default 1)
  --json       Print [{"token", "user_agent", "expires_at", "solve_ms"}] instead of a token a line

A token is bound to this machine's network and to the User-Agent that --json prints. Sent to your server from elsewhere
or with another User-Agent, it is refused: binding_mismatch.
Waits as long as the service says (Retry-After) when a limit is reached.
`;

const COMMAND = { name: "solve", help: HELP };
const values = readOptions(COMMAND, {
  "base-url": { type: "string" },
  "site-key": { type: "string" },
  origin: { type: "string" },
  action: { type: "string" },
  count: { type: "string", default: "1" },
  json: { type: "boolean", default: false },
});
const { "base-url": baseUrl, "site-key": siteKey, origin, action, json } = values;
const count = Number(values.count);
if (!baseUrl || !siteKey || !origin)
  refuseCall(COMMAND, "--base-url, --site-key and --origin are needed.");
if (!Number.isInteger(count) || count < 1)
  refuseCall(COMMAND, "--count must be a whole number from 1 on.");

/**
 * A request without an answer has its reason as its cause. An answer that is no JSON comes from
 * another program.
 */
function explain(error: Error): string {
  const reason =
    error instanceof SyntaxError
      ? "another program answers"
      : (error.cause as Error | undefined)?.message;
  if (reason === undefined) return error.message;
  return `No service answers at ${baseUrl} (${reason}). It must run, at an address such as http://127.0.0.1:8787.`;
}

const target = { baseUrl: baseUrl.replace(/\/+$/, ""), siteKey, origin, ...(action && { action }) };
const earned: SolvedToken[] = [];
try {
  for (let i = 0; i < count; i++) {
    const solved = await earnToken(target, (seconds) => {
      process.stderr.write(
        `solve: ${earned.length} of ${count}; the service asks to wait ${seconds} s\n`,
      );
    });
    earned.push(solved);
    if (!json) process.stdout.write(`${solved.token}\n`);
    if (count > 1 && process.stderr.isTTY)
      process.stderr.write(`\rsolve: ${earned.length} of ${count} `);
  }
} catch (error) {
  process.stderr.write(`solve: ${explain(error as Error)}\n`);
  process.exitCode = 1;
}
if (json) {
  const rows = earned.map(({ token, expiresAt, solveMs }) => ({
    token,
    user_agent: USER_AGENT,
    expires_at: expiresAt,
    solve_ms: solveMs,
  }));
  process.stdout.write(`${JSON.stringify(rows)}\n`);
}
