import assert from "node:assert/strict";
import { mock, test } from "node:test";
import type { WaveData, WavesData } from "@stile/protocol/dashboard-waves";
import { actionsOf, drawn, renderPage, textOf } from "@stile/testkit/page/render-page";
import { memberWithRole } from "@stile/testkit/page/signed-in-member";
import { h } from "preact";
import { me } from "../../ui/session.ts";
import { describePrice, describeWave } from "./wave-words.ts";

const { NoWaves } = await import("./outcome-page.tsx");
const { Earnings } = await import("./earnings.tsx");
const EARNINGS = { free: 1440, networks: 0 };
const { Waves } = await import("./waves-panel.tsx");

const NOW = Date.UTC(2026, 5, 15);
mock.timers.enable({ apis: ["Date"], now: NOW });
const WAVE: WaveData = {
  waveId: "0-abc",
  sinceMs: NOW - 300_000,
  lastAtMs: NOW - 1000,
  isOver: false,
  visits: 340,
  peak: { visits: 312, networks: 290.4, expected: 4.2, withinMs: 300_000 },
  properties: [
    { property: "browser", value: "Chromium 140" },
    { property: "graphics", value: "<b>GPU</b>" },
  ],
  refusedUntilMs: null,
};
const page = (waves: WavesData["waves"]) =>
  renderPage(
    h(Waves, {
      data: { nowMs: NOW, isLearning: false, waves, earnings: EARNINGS },
      siteKey: "pk_1",
      onChange: () => {},
    }),
  );

test("describes a wave in a sentence, with its beginning, its strength and its shared properties", () => {
  me.value = memberWithRole("developer");
  const text = textOf(page([WAVE]));
  assert.match(text, /Now 312 visits in 5 min share 2 properties; 4 would be expected\./);
  assert.match(text, /Began 5 minutes ago Last visit just now/);
  assert.match(
    text,
    /Strength 74 times the usual number, from about 290 networks Visits in total 340/,
  );
  assert.match(text, /Browser Chromium 140 Graphics <b>GPU<\/b>/, "a stranger's markup is text");
  assert.match(describeWave({ ...WAVE, properties: [] }), /look the same; 4 would/);
  assert.match(
    describeWave({ ...WAVE, properties: WAVE.properties.slice(1) }),
    /share 1 property;/,
  );
});

test("says what blocking a wave costs and how long it lasts, and lets it be undone", () => {
  assert.deepEqual(actionsOf(page([WAVE])), ["Block them for an hour"]);
  assert.match(describePrice(WAVE), /also block up to 51 regular visitors an hour/);
  const refused = page([{ ...WAVE, refusedUntilMs: NOW + 3_599_000 }]);
  assert.deepEqual(actionsOf(refused), ["Stop blocking them"]);
  assert.match(textOf(refused), /blocked for another 59:59/);
});

test("shows a viewer the wave, and why they can't block it", () => {
  me.value = memberWithRole("viewer");
  const markup = page([WAVE]);
  assert.ok(drawn(markup, "button").every(({ attributes }) => "disabled" in attributes));
  assert.match(textOf(markup), /ask for the developer role/);
});

test("has a sentence for no wave, for too little data, and for a wave that is over", () => {
  assert.match(
    textOf(renderPage(h(NoWaves, { isLearning: false }))),
    /^Waves None in the last 24 hours\./,
  );
  assert.match(
    textOf(renderPage(h(NoWaves, { isLearning: true }))),
    /^Waves Stile is still learning/,
  );
  assert.match(textOf(page([{ ...WAVE, isOver: true }])), /Over 312 visits/);
});

test("says what one network may earn, and whether any pays more now", () => {
  const drawn = (networks: number) =>
    textOf(renderPage(h(Earnings, { earnings: { ...EARNINGS, networks } })));
  assert.match(
    drawn(0),
    /No network is being slowed down\. One network can earn 1,440 tokens an hour with the usual work\. .* up to 32 times as much\./,
  );
  assert.match(drawn(1), /1 network must do more work now\./);
  assert.match(drawn(1204), /1,204 networks must do more work now\. .*STILE_LIMIT_TOKENS/);
});
