import assert from "node:assert/strict";
import { test } from "node:test";
import { MetricsListenFault } from "../telemetry/metrics-listener.ts";
import { explainListenFault } from "./listen-faults.ts";

const PLACE = { host: "192.0.2.1", port: 80, descriptor: undefined };
const fault = (code: string, syscall = "listen") =>
  Object.assign(new Error(code), { code, syscall });

test("explains every failure to listen in one sentence that names a setting or what to check (D17, settings)", () => {
  const codes = [
    "EADDRINUSE",
    "EACCES",
    "EPERM",
    "EADDRNOTAVAIL",
    "EAFNOSUPPORT",
    "EINVAL",
    "EMFILE",
    "ENOBUFS",
    "ENEW",
  ];
  const told = codes.map((code) => explainListenFault(fault(code), PLACE) ?? "");
  for (const text of told)
    assert.match(text, /(80|192\.0\.2\.1).*(STILE_PORT|STILE_HOST)[^\n]*\.$/);
  assert.match(
    explainListenFault(fault("EACCES"), PLACE) ?? "",
    /Port 80 may not be opened by this user/,
  );
  for (const code of ["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL"]) {
    assert.match(
      explainListenFault(fault(code, "getaddrinfo"), PLACE) ?? "",
      /192\.0\.2\.1.*STILE_HOST/,
    );
  }
});

test("names the metrics' own setting and address if they can't be served, under a socket from systemd too (D17, settings)", () => {
  const place = { host: "192.0.2.9", port: 94 };
  for (const code of [
    "EADDRINUSE",
    "EACCES",
    "EPERM",
    "EADDRNOTAVAIL",
    "EAFNOSUPPORT",
    "EINVAL",
    "ENOTFOUND",
    "ENEW",
  ]) {
    const told =
      explainListenFault(new MetricsListenFault(place, fault(code)), { ...PLACE, descriptor: 3 }) ??
      "";
    assert.match(told, /(94|192\.0\.2\.9).* (address|port) in STILE_METRICS[^\n]*\.$/);
    assert.doesNotMatch(told, /STILE_(PORT|HOST)|192\.0\.2\.1\b/);
  }
});

test("explains only faults of listening", () => {
  assert.equal(explainListenFault(fault("EACCES", "open"), PLACE), undefined);
  assert.equal(explainListenFault(new Error("x"), PLACE), undefined);
});
