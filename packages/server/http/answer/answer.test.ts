import assert from "node:assert/strict";
import { test } from "node:test";
import { errorAnswer } from "./answer.ts";

const CONTEXT = { requestId: "r1" };

test("puts code, sentence and request id into an error, under the status of the code (D11, errors)", () => {
  assert.deepEqual(errorAnswer("not_found", CONTEXT), {
    status: 404,
    body: {
      success: false,
      data: {},
      error: { code: "not_found", message: "This address does not exist.", request_id: "r1" },
    },
  });
  const more = { message: "Why.", status: 503, headers: { Allow: "POST" }, mustClose: true };
  const answer = errorAnswer("internal_error", CONTEXT, more);
  assert.deepEqual(
    [answer.status, answer.headers, answer.mustClose],
    [503, { Allow: "POST" }, true],
  );
});
