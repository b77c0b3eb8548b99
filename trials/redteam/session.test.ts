import assert from "node:assert/strict";
import { test } from "node:test";
import { createSession } from "./session.ts";

const identity = {
  name: "v0",
  address: "198.18.0.10",
  url: "http://v0/",
  rawUrl: "http://raw/",
  isWidgetFirst: false,
};

test("resolves a wait for a state at that state and at no other", async () => {
  const session = createSession(identity);
  const reached = session.reach("verified", "error");
  session.hear({ state: "solving" });
  session.hear({ state: "verified" });
  assert.equal(await reached, "verified");
  assert.equal(session.state(), "verified");
});

test("does not wait for a state that is there already", async () => {
  const session = createSession(identity);
  session.hear({ state: "error" });
  assert.equal(await session.reach("verified", "error"), "error");
});

test("rejects a wait that takes too long, with the widget's actual state", async () => {
  const session = createSession(identity, 0);
  session.hear({ state: "solving" });
  await assert.rejects(
    session.reach("verified"),
    /verified did not come \(the widget is solving\)/,
  );
  await assert.rejects(session.arrive(), /did not come/);
});

test("uses the newest layout", async () => {
  const box = { x: 0, y: 0, width: 10, height: 10 };
  const layout = {
    email: box,
    password: box,
    widget: box,
    submit: box,
    left: 0,
    top: 90,
    scale: 1,
    viewport: box,
  };
  const session = createSession(identity);
  session.hear({ layout });
  session.hear({ layout: { ...layout, top: 130 } });
  assert.equal((await session.layout()).top, 130);
});

test("has no verdict of BotD until it arrives", () => {
  const session = createSession(identity);
  assert.equal(session.botd(), undefined);
  session.hear({ botd: false });
  assert.equal(session.botd(), false);
});
