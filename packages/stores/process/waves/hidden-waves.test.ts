import assert from "node:assert/strict";
import { test } from "node:test";
import { type CrowdVisit, USUAL_MIX, visitorOf } from "@stile/testkit/visits/crowd";
import { knownSite, type WatchedSite } from "@stile/testkit/visits/waves";

const onWindows = (site: WatchedSite): CrowdVisit =>
  visitorOf({ ...USUAL_MIX, devices: [["windows", 1]] }, site.random);

/**
 * Generates visits of one browser, screen and window, each with the device, place and behaviour of
 * another visitor.
 */
function fleetOn(site: WatchedSite): () => CrowdVisit {
  const { userAgent, environment: own } = onWindows(site);
  const { blank, frame, worker } = own;
  const window = {
    screen: [1920, 1080, 1920, 1040, 24],
    viewport: [1893, 943, 1907, 1031],
    pixelRatio: 1,
  } as const;
  return () => {
    const { environment, behaviour } = onWindows(site);
    const shown = { userAgent: own.userAgent, blank, frame, worker, ...window };
    return { userAgent, environment: { ...environment, ...shown }, behaviour };
  };
}

/**
 * As many small waves as the memory keeps at a time, each of one device and all from the same few
 * networks.
 */
function sendDecoys(site: WatchedSite, draw: () => CrowdVisit): void {
  for (let wave = 0; wave < 16; wave++) {
    const { userAgent, environment } = draw();
    for (let network = 0; network < 16; network++) {
      site.pass(300);
      const device = { ...environment, cores: 3 + wave, memory: 3 };
      site.submit(
        { userAgent, environment: device, behaviour: onWindows(site).behaviour },
        7 * network,
      );
    }
  }
}

test("flags a wave from many networks although small waves with the same window came first, and flags no real visitor", (t) => {
  const site = knownSite(1, USUAL_MIX, 120);
  const draw = fleetOn(site);
  let [ofWave, ofPeople] = [0, 0];
  for (let sent = 0; sent < 400; sent++) {
    if (sent % 100 === 0) sendDecoys(site, draw);
    site.pass(1500);
    if (site.submit(draw()) !== undefined && sent >= 20) ofWave++;
    if (site.submit(visitorOf(USUAL_MIX, site.random)) !== undefined) ofPeople++;
  }
  t.diagnostic(`${ofWave} of 380 flagged, of 400 people ${ofPeople}`);
  assert.ok(ofWave >= 300, `${ofWave} of the wave`);
  assert.ok(ofPeople <= 4, `${ofPeople} of the people`);
});

test("flags no real visitors whose window is that of known small waves", () => {
  const site = knownSite(1, USUAL_MIX, 120);
  const draw = fleetOn(site);
  sendDecoys(site, draw);
  const people = Array.from({ length: 10 }, () => {
    site.pass(20_000);
    return site.submit(draw());
  });
  assert.deepEqual(new Set(people), new Set([undefined]));
});

test("flags a wave known by its behaviour although a wave of one device behaved the same at first", () => {
  const site = knownSite(1, USUAL_MIX, 120);
  const { userAgent, environment, behaviour } = onWindows(site);
  for (let sent = 0; sent < 300; sent++) {
    site.pass(1500);
    site.submit({
      userAgent,
      environment,
      behaviour: sent < 30 ? behaviour : onWindows(site).behaviour,
    });
  }
  let ofWave = 0;
  for (let sent = 0; sent < 200; sent++) {
    site.pass(1500);
    if (site.submit({ ...onWindows(site), behaviour }) !== undefined && sent >= 20) ofWave++;
  }
  assert.ok(ofWave >= 160, `${ofWave} of 180`);
});
