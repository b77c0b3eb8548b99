import assert from "node:assert/strict";
import { test } from "node:test";
import { describeDevice } from "./device.ts";

test("names browser and system of usual user agents", () => {
  const chrome = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
  for (const [userAgent, device] of [
    [`Mozilla/5.0 (X11; Linux x86_64) ${chrome}`, "Chrome on Linux"],
    [
      `Mozilla/5.0 (X11; Linux x86_64) ${chrome.replace("Chrome", "HeadlessChrome")}`,
      "Headless Chrome on Linux",
    ],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${chrome} Edg/140.0.0.0`, "Edge on Windows"],
    [
      `Mozilla/5.0 (Linux; Android 16; K) ${chrome.replace("Safari", "Mobile Safari")}`,
      "Chrome on Android",
    ],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0", "Firefox on Linux"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15",
      "Safari on macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/140.0 Mobile/15E148 Safari/604.1",
      "Chrome on iPhone",
    ],
  ] as const) {
    assert.equal(describeDevice(userAgent), device);
  }
});

test("repeats nothing from a header that it does not know", () => {
  assert.equal(describeDevice("<script>alert(1)</script>"), "A browser on an unknown system");
  assert.equal(describeDevice(""), "A browser on an unknown system");
});
