import assert from "node:assert/strict";
import { test } from "node:test";
import {
  CHROME_VISITOR,
  findVisitor,
  withEnvironment,
  withUserAgent,
} from "@stile/testkit/visits/find-visitor";
import { raises } from "@stile/testkit/visits/raises";
import { chromeSurfaceMissing } from "./chrome-surface-missing.ts";
import { nativeTampered } from "./native-tampered.ts";
import { permissionMismatch } from "./permission-mismatch.ts";

test("native_tampered: raised by a function that was replaced, wrapped, added or removed", () => {
  for (const native of [
    ["webdriver", "() => false"],
    ["webdriver", "function () { [native code] }"],
    ["webdriver", "own"],
    ["webdriver", "missing"],
    ["query", "query(parameters) { return fake; }"],
  ] as const) {
    assert.ok(
      raises(nativeTampered, withEnvironment(CHROME_VISITOR, { natives: [native] })),
      native.join(),
    );
  }
});

test("native_tampered: silent on engines that never had the function, and if nothing could be seen", () => {
  const missing = { natives: [["webdriver", "missing"]] } as const;
  const names = [
    "iPhone",
    "Safari on a Mac, whose mouse reports no pressure",
    "Firefox on Linux, keyboard only",
  ];
  for (const name of names)
    assert.ok(!raises(nativeTampered, withEnvironment(findVisitor(name), missing)), name);
  const old = CHROME_VISITOR.userAgent.replace("Chrome/140", "Chrome/88");
  assert.ok(!raises(nativeTampered, withUserAgent(withEnvironment(CHROME_VISITOR, missing), old)));
  assert.ok(!raises(nativeTampered, CHROME_VISITOR));
  assert.ok(!raises(nativeTampered, { environment: "withheld" }));
});

test("chrome_surface_missing: raised by the headless shell with Chrome's user agent", () => {
  assert.ok(raises(chromeSurfaceMissing, withEnvironment(CHROME_VISITOR, { chrome: null })));
  assert.ok(
    raises(
      chromeSurfaceMissing,
      withEnvironment(findVisitor("Chromium of Debian"), { chrome: null }),
    ),
  );
});

test("chrome_surface_missing: silent on forks, shells, views in apps and other engines", () => {
  for (const suffix of [
    " Edg/140.0.0.0",
    " QtWebEngine/6.9",
    " Electron/38.0.0",
    " OPR/124.0.0.0",
  ]) {
    const named = withUserAgent(CHROME_VISITOR, CHROME_VISITOR.userAgent + suffix);
    assert.ok(!raises(chromeSurfaceMissing, withEnvironment(named, { chrome: null })), suffix);
  }
  const names = ["Chrome on Android", "Firefox on Linux, keyboard only", "iPhone"];
  for (const name of names)
    assert.ok(
      !raises(chromeSurfaceMissing, withEnvironment(findVisitor(name), { chrome: null })),
      name,
    );
  assert.ok(!raises(chromeSurfaceMissing, withEnvironment(CHROME_VISITOR, { chrome: [] })));
});

const CONTRADICTION = { permission: ["denied", "prompt"] } as const;

test("permission_mismatch: raised by the headless shell, which reports both denied and not asked", () => {
  assert.ok(raises(permissionMismatch, withEnvironment(CHROME_VISITOR, CONTRADICTION)));
});

test("permission_mismatch: silent on visitors who denied, in frames, on insecure pages and in other engines", () => {
  for (const permission of [
    ["denied", "denied"],
    ["default", "prompt"],
    ["granted", "granted"],
  ] as const) {
    assert.ok(!raises(permissionMismatch, withEnvironment(CHROME_VISITOR, { permission })));
  }
  for (const change of [{ isFramed: true }, { isSecure: false }, { permission: null }]) {
    assert.ok(
      !raises(permissionMismatch, withEnvironment(CHROME_VISITOR, { ...CONTRADICTION, ...change })),
    );
  }
  assert.ok(!raises(permissionMismatch, withEnvironment(findVisitor("iPhone"), CONTRADICTION)));
});
