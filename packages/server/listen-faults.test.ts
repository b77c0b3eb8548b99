import assert from "node:assert/strict";
import { test } from "node:test";
import { explainListenFault } from "./listen-faults.ts";

const PLACE = { host: "192.0.2.1", port: 80, descriptor: undefined };
const fault = (code: string, syscall = "listen") => Object.assign(new Error(code), { code, syscall });

test("every way in which listening can fail is one sentence that names a setting or what to check (D17)", () => {
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
  for (const text of told) assert.match(text, /(80|192\.0\.2\.1).*(STILE_PORT|STILE_HOST)[^\n]*\.$/);
  assert.match(explainListenFault(fault("EACCES"), PLACE) ?? "", /Port 80 may not be opened by this user/);
  for (const code of ["ENOTFOUND", "EAI_AGAIN", "EAI_FAIL"]) {
    assert.match(explainListenFault(fault(code, "getaddrinfo"), PLACE) ?? "", /192\.0\.2\.1.*STILE_HOST/);
  }
});

test("a fault of anything else is not taken for one of the port", () => {
  assert.equal(explainListenFault(fault("EACCES", "open"), PLACE), undefined);
  assert.equal(explainListenFault(new Error("x"), PLACE), undefined);
});
