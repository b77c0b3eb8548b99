import assert from "node:assert/strict";
import { test } from "node:test";
import { getParser } from "bowser";
import topUserAgents from "top-user-agents";
import { deviceClassOf } from "./device-class.ts";

const WEBKIT = "AppleWebKit/537.36 (KHTML, like Gecko)";
const AGENTS = {
  desktop: [
    `Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36`,
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0",
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15",
    `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36`,
  ],
  mobile: [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/156.0.0.0 Mobile Safari/537.36`,
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0",
  ],
  tablet: [
    `Mozilla/5.0 (Linux; Android 10; K) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36`,
    "Mozilla/5.0 (iPad; CPU OS 12_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/12.1 Mobile/15E148 Safari/604.1",
    "Mozilla/5.0 (Android 15; Tablet; rv:140.0) Gecko/140.0 Firefox/140.0",
  ],
  other: [
    "",
    "curl/8.5.0",
    `Mozilla/5.0 (Linux; Android 14; Google TV) ${WEBKIT} Chrome/156.0.0.0 Safari/537.36`,
    `Mozilla/5.0 (X11; Linux x86_64; Quest 3) ${WEBKIT} OculusBrowser/30.0 Chrome/156.0.0.0 VR Safari/537.36`,
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64; Xbox; Xbox One) ${WEBKIT} Chrome/120.0.0.0 Safari/537.36 Edge/44.18363.8131`,
  ],
} as const;

test("distinguishes desktops, phones, tablets and the rest by their user agent", () => {
  for (const [device, agents] of Object.entries(AGENTS)) {
    for (const agent of agents) assert.equal(deviceClassOf(agent, {}), device, agent);
  }
});

test("the client hint makes a phone of an unclear user agent, and changes no other", () => {
  const hints = { "sec-ch-ua-mobile": "?1" };
  assert.equal(deviceClassOf(AGENTS.tablet[0], hints), "mobile");
  assert.equal(deviceClassOf(AGENTS.tablet[0], { "sec-ch-ua-mobile": "?0" }), "tablet");
  assert.equal(deviceClassOf(AGENTS.desktop[0], hints), "desktop");
  assert.equal(deviceClassOf("", { "sec-ch-ua-mobile": "?1; x=".repeat(1000) }), "other");
});

/** Systems without a class in bowser, with our class: a Chrome OS device is a computer. */
const UNTOLD = { "Chrome OS": "desktop" } as const;

test("current user agents have the class that bowser gives them", () => {
  assert.ok(topUserAgents.length >= 100);
  for (const agent of topUserAgents) {
    const { os, platform } = getParser(agent).getResult();
    const told = platform.type ?? UNTOLD[os.name as keyof typeof UNTOLD];
    assert.equal(deviceClassOf(agent, {}), told === "tv" ? "other" : told, agent);
  }
});
