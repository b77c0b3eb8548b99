import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { exchange } from "@stile/testkit/payloads/raw-http";
import type { RunningService } from "@stile/testkit/service/service";
import type { Trial } from "@stile/testkit/trials/trial";
import { countVerified } from "./customer.ts";
import { NONE, withService } from "./scene.ts";

const PATH = "/api/v1/token/verify";
const WITHIN_MS = 3000;
const TWO_GB = 2 ** 31;

type Edge = { readonly line: string; readonly header?: string; readonly length?: number };

/**
 * Requests that are refused, though a lenient server could guess their meaning (RFC 9112, 3; RFC
 * 9110, 10.1.1).
 */
const EDGES: readonly Edge[] = [
  { line: `POST ${PATH}` },
  { line: `POST  ${PATH} HTTP/1.1` },
  { line: `POST ${PATH}  HTTP/1.1` },
  { line: `POST\t${PATH}\tHTTP/1.1` },
  { line: `POST ${PATH} HTTP/1.1 ` },
  { line: `POST ${PATH} HTTP/1.1`, header: "Expect: unknown" },
  { line: `POST ${PATH} HTTP/1.1`, header: "Expect: 100-continue, unknown" },
  { line: `POST ${PATH} HTTP/1.1`, header: "Expect: 100-continue", length: TWO_GB },
];

async function send(
  { port, secretKey }: RunningService,
  edge: Edge,
  token: string,
): Promise<string> {
  const body = JSON.stringify({ token });
  const lines = [
    edge.line,
    "Host: localhost",
    `Authorization: Bearer ${secretKey}`,
    "Content-Type: application/json",
  ];
  lines.push(
    `Content-Length: ${edge.length ?? body.length}`,
    ...(edge.header === undefined ? [] : [edge.header]),
    "",
  );
  const { received } = await exchange(port, [...lines, body].join("\r\n"), { withinMs: WITHIN_MS });
  return received;
}

/** Requests that HTTP lets a server refuse, and that must spend nothing. */
export const httpEdges: Trial = {
  name: "http-edges",
  tries: "redemptions with a broken request line, an unknown expectation, or 2 GB announced",
  run: async () =>
    await withService({}, async (service) => {
      const tokens = await mintTokens({ ...service, count: EDGES.length });
      const received: string[] = [];
      for (const [at, edge] of EDGES.entries())
        received.push(await send(service, edge, tokens[at] ?? ""));
      const continued = received.filter((text) => text.startsWith("HTTP/1.1 100"));
      const failed = received.filter((text) => / 5\d\d /.test(text.slice(0, 15)));
      const unit = `of ${EDGES.length}`;
      return [
        {
          name: "tokens spent",
          value: EDGES.length - (await countVerified(service, tokens)),
          unit,
          bound: NONE,
        },
        { name: "answers 100 Continue", value: continued.length, unit, bound: NONE },
        { name: "answers of 500 and above", value: failed.length, unit, bound: NONE },
      ];
    }),
};
