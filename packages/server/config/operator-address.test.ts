import assert from "node:assert/strict";
import { test } from "node:test";
import { operatorAddress } from "./operator-address.ts";

test("takes STILE_BASE_URL as the operator's address, else this machine by name, else the listening address", () => {
  const at = (host: string, baseUrl?: string) => operatorAddress({ host, baseUrl }, 8787);
  assert.equal(at("127.0.0.1"), "http://localhost:8787");
  assert.equal(at("0.0.0.0"), "http://localhost:8787");
  assert.equal(at("::"), "http://localhost:8787");
  assert.equal(at("192.168.1.5"), "http://192.168.1.5:8787");
  assert.equal(at("fd00::5"), "http://[fd00::5]:8787");
  assert.equal(at("0.0.0.0", "https://stile.example"), "https://stile.example");
});
