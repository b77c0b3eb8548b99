import { hkdfSync, randomBytes } from "node:crypto";
import type { Site } from "@stile/core/domain/site/site";
import type { Cryptography } from "@stile/core/ports/cryptography";
import type { Store } from "@stile/core/ports/store";
import { type FormField, findForm } from "./find-form.ts";
import { forge, isRedeemed, mintProbeToken, type ProbedPage } from "./mint-probe-tokens.ts";
import { CannotTell, findTarget, type ProbeAnswer, type Target } from "./target.ts";

/** The service whose tokens the server redeems. */
export type ProbingService = {
  readonly store: Pick<Store, "sites" | "tokens">;
  readonly cryptography: Cryptography;
  readonly masterKey: Uint8Array;
};

/** How to send the form if the page does not say it. */
export type ProbeOptions = {
  /** The site, if the page has no form with the widget. */
  readonly siteKey?: string | undefined;
  /** Values of fields, by name; they replace and add to those of the form. */
  readonly fields: ReadonlyMap<string, string>;
  /** Whether to send JSON instead of a form. */
  readonly isJson: boolean;
};

/** The kinds of submissions that a server has to refuse. */
export const WRONG_TOKENS = ["none", "forged", "replayed", "foreign", "expired"] as const;
/** A kind of submission that a server has to refuse. */
export type WrongToken = (typeof WRONG_TOKENS)[number];

/** The answers by kind, and the kinds that were answered like a valid token. */
export type ProbeReport = {
  readonly answers: Readonly<Record<"valid" | WrongToken, ProbeAnswer>>;
  readonly accepted: readonly WrongToken[];
  /** Whether the server redeemed the valid token. */
  readonly isRedeemed: boolean;
};

const PROOF_PATH = "/.well-known/stile-probe";
const PROOF_HEADER = "stile-probe";
const USER_AGENT = "stile-probe";

/** The value that proves that a host is the operator's own; it is the same each time. */
function proofOf(masterKey: Uint8Array, host: string): string {
  const bytes = hkdfSync("sha256", masterKey, new Uint8Array(0), `stile/probe/${host}`, 16);
  return Buffer.from(bytes).toString("hex");
}

async function checkProof(
  { masterKey }: ProbingService,
  url: URL,
  { target, page }: { readonly target: Target; readonly page: ProbeAnswer },
): Promise<void> {
  if (target.isLoopback) return;
  const proof = proofOf(masterKey, url.host);
  if (page.headers[PROOF_HEADER] === proof) return;
  const file = await target.ask(PROOF_PATH);
  if (file.status === 200 && file.body.trim() === proof) return;
  throw new CannotTell(
    `Show that ${url.host} is yours: serve the text ${proof} at ${url.origin}${PROOF_PATH}, or send the header "Stile-Probe: ${proof}" with the page. Then run this again.`,
  );
}

type Form = {
  readonly path: string;
  readonly tokenField: string;
  readonly page: Omit<ProbedPage, "mode">;
} & {
  readonly fields: readonly FormField[];
};

function readForm(url: URL, page: ProbeAnswer, options: ProbeOptions): Form {
  if (page.location !== "")
    throw new CannotTell(`${url.href} redirects to ${page.location}. Probe that address.`);
  const form = findForm(page.body);
  const siteKey = options.siteKey ?? form?.siteKey;
  if (siteKey === undefined)
    throw new CannotTell(
      `${url.href} (${page.status}) has no form with a <stile-captcha> in it. If a script makes the form, name the address that it sends to, --site-key and each --field.`,
    );
  const action = new URL(form?.action || url.href, url);
  if (action.origin !== url.origin)
    throw new CannotTell(`The form goes to ${action.origin}. Probe a page of that server.`);
  return {
    path: action.pathname + action.search,
    tokenField: form?.tokenField ?? "stile-response",
    fields: form?.fields ?? [],
    page: {
      siteKey,
      hostname: url.hostname,
      actionName: form?.actionName,
      cdata: form?.cdata,
      userAgent: USER_AGENT,
    },
  };
}

async function findSites({ store }: ProbingService, siteKey: string): Promise<[Site, string]> {
  const site = await store.sites.findSite(siteKey);
  if (site === undefined || site.deletedAtMs !== null)
    throw new CannotTell(
      `This service has no site ${siteKey}. Run this with the settings of the service that the page uses.`,
    );
  if (!site.isEnabled)
    throw new CannotTell(`The site ${siteKey} is disabled. Enable it in the dashboard.`);
  const others = await store.sites.listSites(site.accountId);
  const other = others.find((one) => one.siteKey !== siteKey && one.deletedAtMs === null);
  // Without another site, a server refuses this key as unknown, which is as wrong.
  return [site, other?.siteKey ?? "pk_0000000000000000000000"];
}

/** What a visitor might write into an empty field. It differs each time, as names of users must. */
function fill({ type, value }: FormField): string {
  const unique = randomBytes(6).toString("hex");
  if (value !== "" || type === "hidden" || type === "select") return value;
  if (type === "email") return `probe-${unique}@example.com`;
  if (type === "password") return `Probe-${unique}`;
  if (type === "number" || type === "range") return "1";
  if (type === "date") return "2000-01-01";
  if (type === "url") return `https://example.com/${unique}`;
  if (type === "tel") return "+15555550100";
  return `Probe ${unique}`;
}

type Sent = { readonly answer: ProbeAnswer; readonly values: readonly string[] };

async function sendForm(
  target: Target,
  probe: { url: URL; page: ProbeAnswer; form: Form; options: ProbeOptions },
  token: string | undefined,
): Promise<Sent> {
  const { url, page, form, options } = probe;
  const values = new Map(form.fields.map((field) => [field.name, fill(field)]));
  values.delete(form.tokenField);
  for (const [name, value] of options.fields) values.set(name, value);
  if (token !== undefined) values.set(form.tokenField, token);
  const body = options.isJson
    ? JSON.stringify(Object.fromEntries(values))
    : new URLSearchParams([...values]).toString();
  const type = options.isJson ? "application/json" : "application/x-www-form-urlencoded";
  const cookie = page.cookies.map((text) => text.split(";")[0]).join("; ");
  const headers = {
    "content-type": type,
    "content-length": String(Buffer.byteLength(body)),
    origin: url.origin,
    referer: url.href,
    "user-agent": USER_AGENT,
    ...(cookie === "" ? {} : { cookie }),
  };
  const answer = await target.ask(form.path, { headers, body });
  return { answer, values: [...values.values()] };
}

/** The shortest word with a digit that counts as an id, hash or time, in characters. */
const SHORTEST_ID = 6;

/**
 * An answer to compare: status, redirect and body, without what was sent, and without words that
 * have a digit and at least `shortest` characters, since those may change with each answer.
 */
function comparable({ answer, values }: Sent, shortest: number): string {
  const { status, location, body } = answer;
  let text = `${location}\n${body}`;
  for (const value of values.filter(({ length }) => length > 3)) {
    for (const spelling of [value, encodeURIComponent(value)]) text = text.replaceAll(spelling, "");
  }
  const rest = text.replace(/[\w-]+/g, (word) =>
    word.length >= shortest && /\d/.test(word) ? "0" : word,
  );
  return `${status} ${rest}`;
}

/**
 * Sends the form of the page with a valid token, without one, with one that is wrong in each way,
 * and again with a valid one. It makes at most ten requests. Rejects with CannotTell if the answers
 * show nothing.
 */
export async function runProbe(
  service: ProbingService,
  url: URL,
  options: ProbeOptions,
): Promise<ProbeReport> {
  const { cryptography, store } = service;
  const target = await findTarget(url);
  const page = await target.ask(url.pathname + url.search);
  await checkProof(service, url, { target, page });
  const form = readForm(url, page, options);
  const [site, otherKey] = await findSites(service, form.page.siteKey);
  const mint = (siteKey: string, hasExpired = false): string =>
    mintProbeToken(cryptography, { ...form.page, siteKey, mode: site.mode }, hasExpired);
  const send = (token: string | undefined): Promise<Sent> =>
    sendForm(target, { url, page, form, options }, token);

  const validToken = mint(site.siteKey);
  const valid = await send(validToken);
  const wrong = {
    none: await send(undefined),
    forged: await send(forge(mint(site.siteKey))),
    replayed: await send(validToken),
    foreign: await send(mint(otherKey)),
    expired: await send(mint(site.siteKey, true)),
  } satisfies Record<WrongToken, Sent>;
  const validAgain = await send(mint(site.siteKey));

  // All numbers, if two valid tokens get different answers otherwise.
  const shortest = [SHORTEST_ID, 1].find(
    (length) => comparable(valid, length) === comparable(validAgain, length),
  );
  if (shortest === undefined)
    throw new CannotTell(
      `Two valid tokens got different answers (${valid.answer.status}, ${validAgain.answer.status}). The form may take its fields only once, or limit how often it is sent. Give values that it always takes: --field NAME=VALUE.`,
    );
  const accepted = WRONG_TOKENS.filter(
    (kind) => comparable(wrong[kind], shortest) === comparable(valid, shortest),
  );
  const wasRedeemed = await isRedeemed(cryptography, store.tokens, validToken);
  if (!wasRedeemed && !accepted.includes("forged"))
    throw new CannotTell(
      `Your server refused a valid token (${valid.answer.status}). Check its secret key, the hosts that it accepts, and that the site's binding is not "strict_family".`,
    );
  if (accepted.length > 0 && valid.answer.status >= 400)
    throw new CannotTell(
      `Your server answered ${valid.answer.status} to a valid token, as to a wrong one. Give the form values that it takes: --field NAME=VALUE.`,
    );
  const answers = Object.fromEntries(
    Object.entries({ valid, ...wrong }).map(([kind, { answer }]) => [kind, answer]),
  ) as ProbeReport["answers"];
  return { answers, accepted, isRedeemed: wasRedeemed };
}
