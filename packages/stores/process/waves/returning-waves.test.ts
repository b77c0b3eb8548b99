import assert from "node:assert/strict";
import { test } from "node:test";
import { type CrowdVisit, USUAL_MIX, visitorOf } from "@stile/testkit/visits/crowd";
import { knownSite, type WatchedSite } from "@stile/testkit/visits/waves";

const SECOND = 1000;
const HOUR = 3600 * SECOND;

const onWindows = (site: WatchedSite): CrowdVisit =>
  visitorOf({ ...USUAL_MIX, devices: [["windows", 1]] }, site.random);

/**
 * Sends visits of one device, each from another network and with its own behaviour. Returns how
 * many were flagged.
 */
function send(site: WatchedSite, { userAgent, environment }: CrowdVisit, visits: number): number {
  let flagged = 0;
  for (let sent = 0; sent < visits; sent++) {
    site.pass(2 * SECOND);
    if (site.submit({ userAgent, environment, behaviour: onWindows(site).behaviour }) !== undefined)
      flagged++;
  }
  return flagged;
}

test("lists a wave that returns after it left the list as a new one, with its own start and count", () => {
  const site = knownSite(1, USUAL_MIX, 120);
  const device = onWindows(site);
  send(site, device, 60);
  site.visit(USUAL_MIX, 3000, 25 * HOUR);
  assert.deepEqual(site.memory.list("pk_1", site.nowMs()).waves, []);
  const startMs = site.nowMs();
  send(site, device, 60);
  const [wave] = site.memory.list("pk_1", site.nowMs()).waves;
  assert.ok(
    wave !== undefined && wave.sinceMs > startMs,
    `since ${startMs - (wave?.sinceMs ?? 0)} ms before it came`,
  );
  assert.ok(wave.visits <= 60, `${wave.visits} visits of 60`);
});

for (const [what, bursts, visits, restMs] of [
  ["a small wave the day before", 1, 30, 25 * HOUR],
  ["three small ones within a day", 3, 30, 12 * HOUR],
  ["three as large within a day, of minutes each", 3, 900, 12 * HOUR],
] as const) {
  test(`flags a large wave in its first hours although its sender sent ${what} before`, () => {
    const site = knownSite(1, USUAL_MIX, 120);
    const device = onWindows(site);
    for (let burst = 0; burst < bursts; burst++) {
      send(site, device, visits);
      site.visit(USUAL_MIX, restMs / 30_000, restMs);
    }
    for (let hour = 0; hour < 6; hour++) {
      const flagged = send(site, device, 900);
      site.visit(USUAL_MIX, 120, HOUR / 2);
      assert.ok(flagged >= 800, `${flagged} of 900 in hour ${hour}`);
    }
  });
}

test("counts a site's own computers as usual on the third day, even if they are used only by day", () => {
  const site = knownSite(1, USUAL_MIX, 120);
  const { userAgent, environment } = onWindows(site);
  const flaggedByDay = [0, 1, 2, 3].map(() => {
    let flagged = 0;
    for (let visit = 0; visit < 2400; visit++) {
      site.pass(15 * SECOND);
      const own = { userAgent, environment, behaviour: onWindows(site).behaviour };
      if (site.submit(visit % 4 === 0 ? own : visitorOf(USUAL_MIX, site.random)) !== undefined)
        flagged++;
    }
    site.visit(USUAL_MIX, 560, 14 * HOUR);
    return flagged;
  });
  const [first = 0, second = 0, ...later] = flaggedByDay;
  assert.ok(first > 550 && second < 300, `${flaggedByDay}`);
  assert.deepEqual(later, [0, 0]);
});

test("keeps a refused wave in the list during any number of other waves, so that the owner can admit it again", () => {
  const site = knownSite(1, USUAL_MIX, 120);
  send(site, onWindows(site), 40);
  const [refused] = site.memory.list("pk_1", site.nowMs()).waves;
  assert.ok(refused !== undefined);
  site.memory.refuse("pk_1", refused.waveId, site.nowMs() + HOUR);
  const { userAgent, environment } = onWindows(site);
  for (let wave = 0; wave < 20; wave++) {
    send(
      site,
      {
        ...onWindows(site),
        userAgent,
        environment: { ...environment, cores: 3 + wave, memory: 3 },
      },
      40,
    );
  }
  const waves = site.memory.list("pk_1", site.nowMs()).waves;
  assert.equal(waves.length, 16);
  assert.ok(waves.some(({ waveId }) => waveId === refused.waveId));
});

test("keeps the order of active waves in the list, and moves them down when they are over", () => {
  const site = knownSite(1, USUAL_MIX, 120);
  const [first, second] = [onWindows(site), onWindows(site)];
  const idsAfter = (device: CrowdVisit): readonly string[] => {
    send(site, device, 20);
    return site.memory.list("pk_1", site.nowMs()).waves.map(({ waveId }) => waveId);
  };
  const [firstId] = idsAfter(first);
  const [secondId] = idsAfter(second).filter((id) => id !== firstId);
  for (const device of [first, second, first])
    assert.deepEqual(idsAfter(device), [secondId, firstId]);
  for (let part = 0; part < 12; part++) {
    site.visit(USUAL_MIX, 60, HOUR / 4);
    send(site, first, 30);
  }
  assert.deepEqual(idsAfter(first), [firstId, secondId]);
});
