// The rows of the server libraries: each verifies the same tokens against a running service.
import { secretKeyChecksum } from "@stile/protocol/key-formats";
import { RATE_LIMITS } from "@stile/protocol/limits";
import { holdDatabase } from "@stile/testkit/contract/second-process";
import type { LoggingFixture } from "@stile/testkit/contract/service-fixtures";
import { mintToken, newSite, type TestSite } from "@stile/testkit/contract/sites";
import type { Row } from "./row.ts";
import type { Place, ServerLibrary } from "./servers.ts";

const UNKNOWN = `sk_${"A".repeat(43)}`;
const KEY_THAT_NOBODY_HAS = UNKNOWN + secretKeyChecksum(UNKNOWN);

type Said = "accepts" | "rejects" | "throws";

async function ask({ verify }: ServerLibrary, place: Place, token: string): Promise<Said> {
  try {
    return (await verify(place, token)) ? "accepts" : "rejects";
  } catch {
    return "throws";
  }
}

/** A wrong secret key, sent until the address is over its limit. */
async function exhaust(baseUrl: string): Promise<void> {
  const body = { secret: "wrong", response: "x" };
  for (let i = 0; i <= RATE_LIMITS.wrongSecret.perMinute; i++)
    await fetch(`${baseUrl}/siteverify`, { method: "POST", body: new URLSearchParams(body) });
}

/** What a visitor can send instead of a token, by name. */
async function badTokens(fixture: LoggingFixture, site: TestSite, used: string) {
  const own = (options = {}): string =>
    mintToken(fixture, site, { actionName: "login", ...options });
  const forged = own();
  return {
    replayed: used,
    forged: `${forged.slice(0, 60)}${forged[60] === "A" ? "B" : "A"}${forged.slice(61)}`,
    expired: own({ ageSeconds: 301 }),
    foreign: mintToken(fixture, await newSite(fixture), { actionName: "login" }),
    missing: "",
    pending: "pending",
    "5,000 characters": "x".repeat(5000),
    blocked: own({ score: 0.7 }),
  };
}

async function serverRow(fixture: LoggingFixture, library: ServerLibrary): Promise<Row> {
  const site = await newSite(fixture);
  const place = { ...site, baseUrl: fixture.baseUrl };
  const own = (): string => mintToken(fixture, site, { actionName: "login" });
  const person = own();
  const passes = await ask(library, place, person);
  const said: Record<string, Said> = {};
  for (const [name, token] of Object.entries(await badTokens(fixture, site, person)))
    said[name] = await ask(library, place, token);
  const namesOf = (wanted: Said): string[] =>
    Object.keys(said).filter((name) => said[name] === wanted);
  const wrongSecret = await ask(library, { ...place, secretKey: KEY_THAT_NOBODY_HAS }, own());
  const holder = await holdDatabase(fixture.databaseFile ?? "");
  const down = await ask(library, place, own());
  await holder.release();
  const { library: name, version, level } = library;
  return {
    library: name,
    version,
    level,
    passes: passes === "accepts",
    wrong: [...namesOf("accepts"), ...(wrongSecret === "accepts" ? ["wrong secret"] : [])],
    thrown: namesOf("throws"),
    remark: `wrong secret: ${wrongSecret}; 503: ${down}`,
  };
}

/**
 * Verifies in each library what a visitor can send, then what no visitor can cause: a wrong secret
 * key, a 503 and a 429, for which the row says what the library makes of it.
 */
export async function serverRows(
  fixture: LoggingFixture,
  libraries: readonly ServerLibrary[],
  onRow: (row: Row) => void,
): Promise<readonly Row[]> {
  const rows: Row[] = [];
  for (const library of libraries) {
    const row = await serverRow(fixture, library);
    onRow(row);
    rows.push(row);
  }
  const denied = { siteKey: "pk_x", secretKey: KEY_THAT_NOBODY_HAS, baseUrl: fixture.baseUrl };
  for (const [at, library] of libraries.entries()) {
    await exhaust(fixture.baseUrl);
    const said = await ask(library, denied, "x");
    const row = rows[at] as Row;
    rows[at] = { ...row, remark: `${row.remark}; 429: ${said}` };
  }
  return rows;
}
