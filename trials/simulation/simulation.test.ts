import assert from "node:assert/strict";
import { test } from "node:test";
import { PARTS, runCampaign } from "./campaign.ts";
import { KEPT_SEEDS } from "./kept-seeds.ts";
import { type Report, simulate } from "./world/simulate.ts";

/** The details of a broken rule for a person. */
function explain({ seed, steps, violation, trace }: Report): string {
  return `${trace.slice(-20).join("\n")}\nseed ${seed}, step ${steps}: ${violation?.message}\nnpm run trial -- simulation --seed ${seed}`;
}

function assertHeld(report: Report): void {
  assert.equal(report.violation, undefined, explain(report));
}

for (const { seed, steps, found } of KEPT_SEEDS) {
  test(`seed ${seed}, which found ${found}, no longer breaks a rule`, async () => {
    assertHeld(await simulate(PARTS.memory, { seed, steps }));
  });
}

test("keeps every rule in 100,000 steps of clients, faults, crashes, copies and clocks", async () => {
  const tally = new Map<string, number>();
  const report = await runCampaign({
    ...{ parts: PARTS.memory, firstSeed: 1, steps: 100_000 },
    onRun: (run) => {
      for (const [said, times] of run.tally) tally.set(said, (tally.get(said) ?? 0) + times);
    },
  });
  assertHeld(report);
  // An event that never happened proves nothing.
  const said = [...tally.keys()].join("\n");
  for (const seen of SEEN) assert.match(said, seen);
});

/** Events that must happen in that many steps; otherwise the clients no longer cause them. */
const SEEN = [
  ...[
    /: verified$/m,
    /: verified again$/m,
    /token_already_used/,
    /token_expired/,
    /invalid_signature/,
    /site_key_mismatch/,
  ],
  ...[
    /binding_mismatch/,
    /site_disabled/,
    /invalid_site_key/,
    /invalid_secret/,
    /: limited/,
    /: unknown/,
    /: down/,
  ],
  ...[
    /handed in .*step_up/,
    /handed in .*blocked/,
    /handed in .*retry/,
    /domain_mismatch/,
    /scored .*scored/,
  ],
  ...[
    /is killed/,
    /copy is restored/,
    /set ahead/,
    /set back/,
    /clock stands/,
    /sleeps/,
    /nobody comes/,
  ],
  ...[
    /secret is rotated: rotated/,
    /secrets are revoked: revoked/,
    /site is deleted: deleted/,
    /site is restored: restored/,
  ],
];

test("SQLite breaks no rule either, killed and with older files restored", async () => {
  assertHeld(await runCampaign({ parts: PARTS.sqlite, firstSeed: 1, steps: 8000 }));
});

test("reproduces a run from its seed, to the last word", async () => {
  const [first, second] = [await simulate(PARTS.memory, SAME), await simulate(PARTS.memory, SAME)];
  assert.deepEqual(second.trace, first.trace);
  assert.deepEqual(second.tally, first.tally);
});

const SAME = { seed: 42, steps: 2000 };
