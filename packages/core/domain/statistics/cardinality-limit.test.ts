import assert from "node:assert/strict";
import { test } from "node:test";
import { createCardinalityLimit, type DayRow } from "./cardinality-limit.ts";
import { PERIOD_MS } from "./periods.ts";

const DAY = PERIOD_MS.day;

/**
 * A limit over rows that the test writes itself; `reads` counts how often the limit looked them up.
 */
function underTest(domains: readonly string[] = []) {
  const rows = new Map<string, DayRow & { readonly siteKey: string }>();
  const uses = { reads: 0 };
  const names = createCardinalityLimit({
    readDays: (siteKey, _kind, fromMs, toMs) => {
      uses.reads += 1;
      return [...rows.values()].filter(
        (row) => row.siteKey === siteKey && row.startMs >= fromMs && row.startMs < toMs,
      );
    },
    readDomains: () => domains,
  });
  const count = (siteKey: string, host: string, startMs = 0, times = 1): string => {
    const { name } = names.apply(siteKey, `host:${host}`, startMs);
    const key = `${siteKey} ${startMs} ${name}`;
    rows.set(key, { siteKey, startMs, name, count: (rows.get(key)?.count ?? 0) + times });
    return name;
  };
  const flood = (startMs: number, hosts: number): void => {
    for (let number = 0; number < hosts; number++) count("pk_1", `junk${number}`, startMs);
  };
  return { names, count, flood, uses };
}

test("neither a flood of names over the limit nor a known name costs a look-up each", () => {
  const { count, uses } = underTest();
  for (let number = 0; number < 10_000; number++) count("pk_1", `h${number}`);
  for (let number = 0; number < 1_000; number++) count("pk_1", `h${number % 20}`);
  assert.ok(uses.reads <= 22, `${uses.reads} look-ups`);
});

test("the memory is bounded, and forgotten names are found again in the rows", () => {
  const { names, count, uses } = underTest();
  const sites = 6_000;
  for (let site = 0; site < sites; site++) count(`pk_${site}`, "h7");
  names.tidy();
  for (let number = 0; number < 19; number++) count("pk_1", `h1${number}`);
  names.tidy();
  uses.reads = 0;
  assert.equal(count("pk_5999", "h7"), "h7");
  assert.equal(uses.reads, 0, "the youngest are remembered");
  assert.equal(count("pk_0", "h7"), "h7");
  assert.equal(uses.reads, 2, "the oldest were forgotten");
  assert.equal(count("pk_1", "late"), "other");
});

test("names that are applied before any of them is written stay within the limit", () => {
  const names = createCardinalityLimit({ readDays: () => [], readDomains: () => [] });
  const settled = Array.from(
    { length: 100 },
    (_, number) => names.apply("pk_1", `host:h${number}`, 0).name,
  );
  assert.deepEqual(
    [new Set(settled).size, settled.filter((name) => name === "other").length],
    [21, 80],
  );
});

test("a flood of a week does not drive out a name of daily use, even with higher counts", () => {
  const { count, flood } = underTest();
  count("pk_1", "real", 0);
  for (let day = 1; day <= 7; day++) {
    for (let number = 0; number < 100; number++) count("pk_1", `junk${number}`, day * DAY, 50);
    assert.equal(count("pk_1", "real", day * DAY), "real", `day ${day}`);
  }
  flood(8 * DAY, 100);
  assert.equal(count("pk_1", "real", 8 * DAY), "other", "seven days of more visits are believed");
});

test("a name of one day only has a place on the next day, and no longer", () => {
  const { count, flood } = underTest();
  flood(0, 100);
  const entered = (startMs: number): number =>
    Array.from({ length: 40 }, (_, number) =>
      count("pk_1", `new${number}-${startMs}`, startMs),
    ).filter((name) => name !== "other").length;
  assert.deepEqual([entered(DAY), entered(2 * DAY), entered(4 * DAY)], [5, 15, 20]);
});

test("the owner's hosts, with or without www, are always counted separately and take no place", () => {
  const own = ["shop.example", "xn--bcher-kva.example"];
  const { count, flood } = underTest(own);
  const hosts = own.flatMap((domain) => [domain, `www.${domain}`]);
  assert.deepEqual(
    hosts.map((host) => count("pk_1", host)),
    hosts,
  );
  flood(0, 100);
  assert.equal(count("pk_1", "junk19"), "junk19");
  assert.deepEqual(
    hosts.map((host) => count("pk_1", host)),
    hosts,
  );
  assert.equal(count("pk_1", "other.shop.example"), "other");
});
