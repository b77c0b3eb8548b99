import { encodeBase64url } from "@stile/pow/base64url";
import type { BehaviourSignals, EnvironmentSignals } from "@stile/protocol/signals";
import { earnToken } from "@stile/testkit/minting/solver-client";
import { CHROME_VISITOR, type HonestEvidence } from "@stile/testkit/visits/find-visitor";
import { CONTROL_TOOLS } from "./controls.ts";
import type { Overheard } from "./proxy.ts";
import { type Claims, earnTokenRaw, type RawHeaders } from "./raw-client.ts";
import type { OpenTool, Surroundings, Tool } from "./tool.ts";

/** Signals in the form in which they are submitted (D9, submission). */
export const encode = (signals: EnvironmentSignals | BehaviourSignals): string =>
  encodeBase64url(new TextEncoder().encode(JSON.stringify(signals)));

/** The page that clients without a browser claim to come from. */
export const ORIGIN: readonly [string, string] = ["Origin", "http://localhost"];

/** The claims of a client without a browser on its n-th visit. */
type Claim = (visit: number, surroundings: Surroundings) => Promise<Claims>;

/** Opens a client without a browser. */
export async function openRaw(claim: Claim, surroundings: Surroundings): Promise<OpenTool> {
  let visits = 0;
  return {
    visit: async (session) => {
      const claims = await claim(visits++, surroundings);
      const target = {
        baseUrl: session.rawUrl,
        siteKey: surroundings.testbed.siteKey,
        action: session.name,
      };
      const token = await earnTokenRaw(target, claims);
      if (token !== undefined)
        await surroundings.testbed.redeem(session, token, userAgentOf(claims.headers));
    },
    close: async () => {},
  };
}

/** A tool without a browser, which needs no preparation. */
export function raw(name: string, claim: Claim): Tool {
  return {
    name,
    kind: "automation",
    programs: [],
    open: (surroundings) => openRaw(claim, surroundings),
  };
}

const userAgentOf = (headers: RawHeaders): string | undefined =>
  headers.find(([name]) => /^user-agent$/i.test(name))?.[1];

/** Sends and claims the same as the fixture of an honest visitor, each time. */
function claimsOf({ headers, environment, behaviour }: HonestEvidence): Claims {
  return {
    headers: [ORIGIN, ...Object.entries(headers)],
    environment: encode(environment),
    behaviour: encode(behaviour),
  };
}

/** Headers that belong to a connection or a body, not to a browser. */
const OF_THE_MESSAGE = /^(host|content-length|content-type|connection|x-forwarded-for)$/i;

/** The recorded submission of a person, unchanged but for the challenge. */
function replayOf({ headers, body }: Overheard): Claims {
  const pairs = headers.flatMap((name, i) =>
    i % 2 === 0 ? [[name, headers[i + 1] ?? ""] as const] : [],
  );
  const { signals } = JSON.parse(body) as {
    signals: { environment: string; behaviour: string; batch?: string };
  };
  const { environment, behaviour, batch } = signals;
  const told = batch === undefined ? {} : { batch: () => batch };
  return {
    headers: pairs.filter(([name]) => !OF_THE_MESSAGE.test(name)),
    environment,
    behaviour,
    ...told,
  };
}

/**
 * The submission of a control; if there was none in this run, one visits for that and is not
 * counted.
 */
async function findDonor(surroundings: Surroundings, control: string): Promise<Overheard> {
  const { donors, testbed } = surroundings;
  if (!donors.has(control)) {
    const open = await CONTROL_TOOLS.find(({ name }) => name === control)?.open(surroundings);
    await open?.visit(testbed.openSession()).finally(open.close);
  }
  const donor = donors.get(control);
  if (donor === undefined) throw new Error("nobody came whose signals could be replayed");
  return donor;
}

/** Submits a control's submission again and again, with new challenges and from other networks. */
function recorder(name: string, control: string): Tool {
  const tool = raw(name, async (_visit, surroundings) =>
    replayOf(await findDonor(surroundings, control)),
  );
  return { ...tool, programs: ["/usr/bin/chromium", "/usr/bin/xdotool"] };
}

/** Solves, and makes the same claims as this project's command-line visitor: work, but no visit. */
const WORK_ONLY: Tool = {
  name: "work-only-client",
  kind: "automation",
  programs: [],
  open: async ({ testbed }) => ({
    visit: async (session) => {
      const { name: action, rawUrl: baseUrl } = session;
      const { token } = await earnToken({
        baseUrl,
        siteKey: testbed.siteKey,
        origin: ORIGIN[1],
        action,
      });
      await testbed.redeem(session, token, undefined);
    },
    close: async () => {},
  }),
};

const ofCurl: RawHeaders = [ORIGIN, ["User-Agent", "curl/8.14.1"], ["Accept", "*/*"]];
const ofCurlInDisguise: RawHeaders = [
  ORIGIN,
  ["User-Agent", CHROME_VISITOR.userAgent],
  ["Accept", "*/*"],
];

/** Clients without a browser. */
export const RAW_TOOLS: readonly Tool[] = [
  raw("curl", async () => ({ headers: ofCurl, environment: undefined, behaviour: undefined })),
  raw("curl-disguised", async () => ({
    headers: ofCurlInDisguise,
    environment: undefined,
    behaviour: undefined,
  })),
  raw("http-forged-signals", async () => claimsOf(CHROME_VISITOR)),
  WORK_ONLY,
  recorder("recorder-pointer", "person-chromium"),
  recorder("recorder-keyboard", "person-keyboard-only"),
];
