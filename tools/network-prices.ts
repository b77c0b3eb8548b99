// `node tools/network-prices.ts`: what the tokens of one network cost, as the table in
// docs/operations/difficulty.md. It walks through the service's own use cases in virtual time,
// without the work.
import { issueToken } from "@stile/core/services/token/issue-token";
import { BASE_DIFFICULTY } from "@stile/pow/puzzle";
import { issueTo, visitorAt } from "@stile/testkit/minting/solving";
import { createWorld, type OwnedSite, type World } from "@stile/testkit/world/world";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 7;

/** What the busiest network of the site had redeemed in an hour of each of the last seven days. */
const SITES: readonly (readonly [name: string, perHour: number])[] = [
  ["new, or up to 10", 0],
  ["an office of 30", 30],
  ["a school of 100", 100],
  ["200 or more", 200],
];
/** The tokens whose price is printed. */
const TOKENS = [1, 10, 30, 100, 300, 1000] as const;

/**
 * Earns tokens at one address, evenly within three quarters of an hour; returns the price of some,
 * in times the base.
 */
async function pricesOf(
  world: World,
  { site, secretKey }: OwnedSite,
  ip: string,
  count: number,
): Promise<number[]> {
  const visitor = visitorAt(ip);
  const bearer = { visitor, actionName: "login", cdata: undefined, host: "shop.example" };
  const prices: number[] = [];
  for (let token = 1; token <= count; token++) {
    if (TOKENS.some((printed) => printed === token)) {
      const { challenge } = await issueTo(world, site, visitor);
      prices.push(challenge.difficulty / BASE_DIFFICULTY[challenge.algorithm]);
    }
    const earned = issueToken(world.node, site, bearer, {
      score: 0.05,
      nowMs: world.clock.nowMs(),
    });
    await world.redeem(secretKey, { token: earned.token, userAgent: visitor.userAgent });
    world.clock.advance((0.7 * HOUR_MS) / count);
  }
  return prices;
}

async function rowOf(name: string, perHour: number): Promise<string> {
  const world = await createWorld({ verify: 1_000_000 });
  const owned = await world.createSite();
  for (let day = 0; day < DAYS; day++) {
    await pricesOf(world, owned, "198.51.100.7", perHour);
    world.clock.setTo((Math.floor(world.clock.nowMs() / DAY_MS) + 1.5) * DAY_MS);
  }
  // The service reads the past with the first visitor.
  await issueTo(world, owned.site, visitorAt("192.0.2.9"));
  const prices = await pricesOf(world, owned, "203.0.113.7", TOKENS.at(-1) ?? 0);
  return `| ${name} | ${prices.map((price) => Number(price.toFixed(1))).join(" | ")} |`;
}

/** The table, in Markdown. */
export async function networkPrices(): Promise<string> {
  const rows: string[] = [];
  for (const [name, perHour] of SITES) rows.push(await rowOf(name, perHour));
  return [
    `| Busiest network, tokens an hour | ${TOKENS.map((token) => `Token ${token}`).join(" | ")} |`,
    `| --- |${" ---: |".repeat(TOKENS.length)}`,
    ...rows,
  ].join("\n");
}

if (import.meta.main) process.stdout.write(`${await networkPrices()}\n`);
