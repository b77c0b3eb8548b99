import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { REASON_CODES } from "@stile/protocol/reason-codes";
import { VERIFY_ERROR_CODES } from "@stile/protocol/verify-error-codes";
import type { ApiAnswer } from "@stile/testkit/contract/call";
import { startFixtures } from "@stile/testkit/contract/service-fixtures";
import { ROWS, STORE_DOWN, type TokenVerifyRow } from "@stile/testkit/contract/token-verify-rows";

function assertRow(answer: ApiAnswer, row: TokenVerifyRow): void {
  const { status, body, headers } = answer;
  const { reasonCode, errorCodes, score, success } = row;
  const reason = reasonCode === undefined ? {} : { reasonCode };
  const { error, ...rest } = body;
  assert.equal(status, row.status);
  const word = row.response === undefined ? {} : { response: row.response };
  const data = { verified: false, score, error_codes: errorCodes, ...reason, ...word };
  assert.deepEqual(rest, { success, data, ...reason });
  assert.equal(error?.code, row.errorCode);
  for (const [name, expected] of Object.entries(row.headers ?? {})) {
    if (expected instanceof RegExp) assert.match(headers[name] ?? "", expected, name);
    else assert.equal(headers[name], expected, name);
  }
  if (status !== 401) assert.equal(headers["www-authenticate"], undefined);
}

for (const fixture of await startFixtures()) {
  suite(`D2 (redemption), ${fixture.name}`, () => {
    const rows = fixture.databaseFile === undefined ? ROWS : [...ROWS, STORE_DOWN];
    const reached = { reasons: new Set<string>(), errors: new Set<string>() };

    for (const row of rows) {
      test(`${row.status} ${row.reasonCode ?? row.errorCode} (D2, redemption): ${row.situation}`, async () => {
        const answer = await row.send(fixture);
        assertRow(answer, row);
        if (answer.body.reasonCode !== undefined) reached.reasons.add(answer.body.reasonCode);
        for (const code of answer.body.data.error_codes as string[]) reached.errors.add(code);
      });
    }

    test("reaches every reasonCode of spec 7.3 and every error code of spec 7.2 with these causes", () => {
      const inMemory = fixture.databaseFile === undefined ? ["internal_error"] : [];
      assert.deepEqual([...reached.reasons, ...inMemory].sort(), Object.keys(REASON_CODES).sort());
      assert.deepEqual([...reached.errors].sort(), Object.keys(VERIFY_ERROR_CODES).sort());
    });
  });
}
