import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseFrameReply } from "./messages.ts";

test("understands the frame's messages", () => {
  const probe = {
    navigator: { userAgent: "UA" },
    worker: { userAgent: "UA" },
    graphics: ["Mesa", "llvmpipe"],
  };
  assert.deepEqual(parseFrameReply({ stile: "ready", ...probe }), { stile: "ready", ...probe });
  assert.deepEqual(parseFrameReply({ stile: "progress", found: 7 }), {
    stile: "progress",
    found: 7,
  });
  const solution = new Uint8Array(64);
  assert.deepEqual(parseFrameReply({ stile: "solved", solution }), { stile: "solved", solution });
  assert.deepEqual(parseFrameReply({ stile: "failed" }), { stile: "failed" });
});

test("ignores data that is not a message of the frame", () => {
  const none = [
    undefined,
    null,
    "ready",
    [],
    {},
    { stile: "hello" },
    { stile: "constructor" },
    { stile: "progress" },
    { stile: "progress", found: "7" },
    { stile: "progress", found: -1 },
    { stile: "progress", found: 1e9 },
    { stile: "solved" },
    { stile: "solved", solution: "AAAA" },
    { stile: "solved", solution: [1, 2, 3] },
    { stile: "solved", solution: new Uint8Array(0) },
    { stile: "solved", solution: new Uint8Array(1025) },
  ];
  for (const data of none) assert.equal(parseFrameReply(data), undefined, JSON.stringify(data));
});

test("never throws, whatever the data", () => {
  fc.assert(
    fc.property(
      fc.anything(),
      fc.constantFrom("ready", "progress", "solved", "failed"),
      (value, stile) => {
        parseFrameReply(value);
        parseFrameReply({ stile, navigator: value, worker: value, found: value, solution: value });
      },
    ),
    { seed: 13 },
  );
});
