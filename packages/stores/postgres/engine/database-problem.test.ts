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

test("names the unit's missing network access, and not only a wrong address, as a possible cause", () => {
  for (const code of ["ENETUNREACH", "ENOTFOUND", "EAI_AGAIN"]) {
    assert.match(
      told(code),
      /^[^;]*db\.example[^;]*; check .*, and under systemd, .*deploy\/systemd\/network\.conf\)\.$/,
      code,
    );
  }
  assert.doesNotMatch(told("ECONNREFUSED"), /systemd/);
});
