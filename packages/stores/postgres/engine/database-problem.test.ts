import assert from "node:assert/strict";
import { test } from "node:test";
import { explainOpening } from "./database-problem.ts";

const place = {
  hosts: [{ host: "db.example.org", port: 5432 }],
  name: "stile",
  user: "stile",
} as const;
const told = (code: string): string =>
  explainOpening(Object.assign(new Error(code), { code }), place).message;

test("who is denied a network by the unit is told so, and not that the address is wrong alone", () => {
  for (const code of ["ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"]) {
    assert.match(
      told(code),
      /^[^;]*db\.example[^;]*; check .*, and under systemd, .*deploy\/systemd\/network\.conf\)\.$/,
      code,
    );
  }
  assert.doesNotMatch(told("ECONNREFUSED"), /systemd/);
});
