// `node tools/measure-waves.ts`: how waves of forged visits among honest ones are judged, by what their authors vary;
// and what counting a visit costs. docs/operations/waves.md has the table.
import { digestClasses } from "@stile/core/domain/visitor/visit-classes";
import { propertiesOf } from "@stile/core/domain/visitor/visit-properties";
import { parseUserAgent } from "@stile/risk/user-agent";
import { type CrowdMix, PLACES, USUAL_MIX, visitorOf } from "@stile/testkit/visits/crowd";
import { decoded } from "@stile/testkit/visits/handed-in";
import { knownSite, runWave, toCounted, WAVE_FORGERS } from "@stile/testkit/visits/waves";

const SEEDS = [1, 2, 3, 4, 5];
const SITES = [
  ["one country, 120 visits an hour", USUAL_MIX, 120],
  ["the whole world, 1,000 visits an hour", { ...USUAL_MIX, places: PLACES.world }, 1000],
] as const;
const FORGERS = Object.keys(WAVE_FORGERS) as (keyof typeof WAVE_FORGERS)[];

const percent = (share: number): string => `${(100 * share).toFixed(share === 0 || share > 0.1 ? 0 : 1)} %`;
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

console.log(`Flagged of the wave after its first 20 / of 300 honest visits amid it; mean of ${SEEDS.length} seeds.\n`);
for (const [place, mix, perHour] of SITES) {
  console.log(`${place}\n| forged anew at each visit | 50 | 500 | 5,000 |\n|---|---:|---:|---:|`);
  for (const forger of FORGERS) {
    const cells = [50, 500, 5000].map((size) => {
      const runs = SEEDS.map((seed) => runWave(knownSite(seed, mix, perHour), mix, forger, size));
      return `${percent(mean(runs.map((run) => run.ofWave)))} / ${percent(mean(runs.map((run) => run.ofHonest)))}`;
    });
    console.log(`| ${forger} | ${cells.join(" | ")} |`);
  }
  console.log("");
}

const HOUR_MS = 3_600_000;
const OFFICE = { ...USUAL_MIX, devices: [["windows", 90] as const, ["mac", 10] as const] };
const PHONES = { ...USUAL_MIX, devices: [["iphone", 70] as const, ["android", 30] as const] };
const IPHONES = { ...USUAL_MIX, devices: [["iphone", 1] as const] };
const JAPAN = { ...USUAL_MIX, places: [[[["ja"], "Asia/Tokyo"], 1] as const] };

/** Honest crowds: the mix that a site knows, and the crowd that then comes hour by hour. */
const HONEST: readonly (readonly [string, CrowdMix, number, (hour: number) => readonly [CrowdMix, number], number])[] =
  [
    ["ten times the usual", USUAL_MIX, 120, () => [USUAL_MIX, 1200], 3],
    ["a newsletter read on phones, 25 times the usual", USUAL_MIX, 120, () => [PHONES, 3000], 1],
    [
      "phones of America on a site of office computers",
      OFFICE,
      120,
      () => [{ ...PHONES, places: PLACES.world.slice(0, 3) }, 3000],
      1,
    ],
    ["iPhones of one country there", OFFICE, 120, () => [IPHONES, 3000], 1],
    [
      "a release within two days",
      USUAL_MIX,
      400,
      (hour) => [{ ...USUAL_MIX, onNext: Math.min(1, 0.02 + hour / 48) }, 400],
      60,
    ],
    [
      "desktops by day, phones by night",
      USUAL_MIX,
      400,
      (hour) => (hour % 24 < 9 ? [OFFICE, 1000] : [PHONES, 200]),
      72,
    ],
    ["half of the day only Japan", USUAL_MIX, 400, (hour) => [hour % 24 < 12 ? USUAL_MIX : JAPAN, 400], 72],
    ["a busy site on a usual day", USUAL_MIX, 5000, () => [USUAL_MIX, 20_000], 2],
  ];

console.log("Honest visits flagged, sum of 3 seeds.\n| who comes | visits | flagged |\n|---|---:|---:|");
for (const [what, known, perHour, comingIn, hours] of HONEST) {
  let [visits, flagged] = [0, 0];
  for (const seed of [1, 2, 3]) {
    const honest = knownSite(seed, known, perHour);
    for (let hour = 0; hour < hours; hour++) {
      const [mix, count] = comingIn(hour);
      flagged += honest.visit(mix, count, HOUR_MS);
      visits += count;
    }
  }
  console.log(`| ${what} | ${visits} | ${flagged} |`);
}
console.log("");

/** CPU time of one call, microseconds: the least of several rounds, which is closest to the call's own cost. */
function cost(call: (at: number) => unknown): number {
  const rounds = Array.from({ length: 7 }, () => {
    const before = process.cpuUsage();
    for (let at = 0; at < 20_000; at++) call(at);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 20_000;
  });
  return Math.min(...rounds);
}

const site = knownSite(1, USUAL_MIX, 120);
const visits = Array.from({ length: 512 }, () => visitorOf(USUAL_MIX, site.random));
const observed = visits.map(({ userAgent, environment, behaviour }) => {
  return { userAgent, environment: decoded(environment), behaviour: decoded(behaviour), difficulty: 100_000 };
});
const counted = visits.map((visit, at) => toCounted(visit, at));
runWave(site, USUAL_MIX, "the same each time", 500);
const KEY = Uint32Array.of(1, 2, 3, 4);
const of = <Value>(values: readonly Value[], at: number): Value => values[at % values.length] as Value;
// The user agent is parsed once, and would be for the score anyway.
const parse = cost((at) => parseUserAgent(of(observed, at).userAgent));
const digest = cost((at) => digestClasses(propertiesOf(of(observed, at)), KEY)) - parse;
const find = cost((at) => site.memory.find("pk_1", of(counted, at), site.nowMs()));
const record = cost((at) => site.memory.record("pk_1", of(counted, at), site.nowMs()));
const sum = digest + find + record;
const parts = `digests ${digest.toFixed(2)}, looking up ${find.toFixed(2)}, counting ${record.toFixed(2)}`;
console.log(`Processor time of a visit during a wave: ${sum.toFixed(2)} us (${parts}).`);
