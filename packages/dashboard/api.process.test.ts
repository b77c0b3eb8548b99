import assert from "node:assert/strict";
import { test } from "node:test";
import {
  refusal,
  type ServiceReply,
  startAnswering,
  success,
} from "@stile/testkit/page/answering-service";
import { standAt } from "@stile/testkit/page/stand-at";
import { get, proofWanted, send } from "./api.ts";

const PAGE = "/dashboard/sites/pk_1/scores?range=7d";

/** A service with these answers, and a page that talks to it. */
async function openPage(replies: readonly (ServiceReply | Promise<ServiceReply>)[], path = PAGE) {
  const service = await startAnswering();
  service.answer(...replies);
  const { left } = standAt(service.origin + path);
  proofWanted.value = undefined;
  return { service, left, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

/** Once the page asks for a proof, answers whether there is one. */
function prove(isProven: boolean): Promise<void> {
  return new Promise((resolve) => {
    const stop = proofWanted.subscribe((answer) => {
      if (answer === undefined) return;
      resolve();
      queueMicrotask(() => {
        stop();
        answer(isProven);
      });
    });
  });
}

const codeOf = (answer: Awaited<ReturnType<typeof send>>): string =>
  answer.success ? "" : answer.error.code;

test("reads below /dashboard/api/, with all non-empty parameters in the query", async () => {
  await using page = await openPage([success({ sites: [] })]);
  assert.deepEqual(await get("sites", { show: "a b&c", before: undefined, none: "", from: 0 }), {
    success: true,
    data: { sites: [] },
  });
  const [call] = page.service.calls;
  assert.deepEqual(
    [call?.method, call?.path, call?.body],
    ["GET", "/dashboard/api/sites?show=a+b%26c&from=0", ""],
  );
});

test("sends changes as JSON, an empty object if there is no input: the service takes no other body", async () => {
  await using page = await openPage([success({})]);
  for (const method of ["POST", "PUT", "PATCH", "DELETE"] as const)
    await send(method, "me", { name: "Ada “é”" });
  await send("POST", "sign-out");
  assert.deepEqual(
    page.service.calls.map(({ method, body }) => [method, JSON.parse(body)]),
    [
      ...["POST", "PUT", "PATCH", "DELETE"].map((method) => [method, { name: "Ada “é”" }]),
      ["POST", {}],
    ],
  );
  for (const { headers } of page.service.calls)
    assert.equal(headers["content-type"], "application/json");
});

test("returns a refusal unchanged, with its fields to correct and its request id", async () => {
  const problems = [{ field: "name", message: "Use 1 to 64 characters." }];
  const refused = [
    refusal(400, "invalid_input", { problems }),
    refusal(401, "wrong_credentials"),
    refusal(403, "not_allowed"),
    refusal(404, "not_found"),
    refusal(409, "conflict"),
    refusal(429, "rate_limited"),
    refusal(503, "internal_error"),
  ];
  await using page = await openPage(refused);
  for (const { body } of refused) assert.deepEqual(await send("POST", "sites"), body);
  assert.deepEqual(page.left, []);
});

test("leads a member whose session has ended to the sign-in, and back to this page afterwards; no caller continues meanwhile", async () => {
  await using page = await openPage([refusal(401, "not_signed_in")]);
  const isSettled = await Promise.race([
    get("sites").then(() => true),
    (async () => {
      while (page.left.length === 0) await new Promise((resolve) => setImmediate(resolve));
      return false;
    })(),
  ]);
  assert.equal(isSettled, false);
  assert.deepEqual(page.left, [`/dashboard/sign-in?next=${encodeURIComponent(PAGE)}`]);
});

test("does not leave a page that works without a session for the sign-in", async () => {
  for (const path of ["/dashboard/sign-in?next=%2Fdashboard%2Fsites", "/dashboard/link#token"]) {
    await using page = await openPage([refusal(401, "not_signed_in")], path);
    assert.equal(codeOf(await send("POST", "link", { token: "t" })), "not_signed_in");
    assert.deepEqual(page.left, []);
  }
});

test("repeats a call that needs a proof once with the same body after the proof", async () => {
  await using page = await openPage([
    refusal(403, "step_up_needed"),
    success({ secretKey: "sk_" }),
  ]);
  const [answer] = await Promise.all([
    send("POST", "sites/pk_1/rotate", { name: "Shop" }),
    prove(true),
  ]);
  assert.deepEqual(answer, { success: true, data: { secretKey: "sk_" } });
  const [first, second] = page.service.calls;
  assert.equal(page.service.calls.length, 2);
  assert.deepEqual(
    [second?.method, second?.path, second?.body],
    [first?.method, first?.path, first?.body],
  );
  assert.equal(proofWanted.value, undefined, "the dialog is closed");
});

test("returns the refusal to a member who does not prove who they are, and sends nothing again", async () => {
  await using page = await openPage([refusal(403, "step_up_needed"), success({})]);
  const [answer] = await Promise.all([
    send("DELETE", "sites/pk_1", { name: "Shop" }),
    prove(false),
  ]);
  assert.equal(codeOf(answer), "step_up_needed");
  assert.equal(page.service.calls.length, 1);
});

test("does not ask again after a proof that is not enough: no loop of questions", async () => {
  await using page = await openPage([refusal(403, "step_up_needed")]);
  const [answer] = await Promise.all([send("POST", "sites/pk_1/rotate"), prove(true)]);
  assert.equal(codeOf(answer), "step_up_needed");
  assert.equal(page.service.calls.length, 2);
  assert.equal(proofWanted.value, undefined);
});

test("asks only for the later of two calls that need a proof; the earlier is answered with no", async () => {
  await using page = await openPage([
    refusal(403, "step_up_needed"),
    refusal(403, "step_up_needed"),
    success({}),
  ]);
  const asked: unknown[] = [];
  const stop = proofWanted.subscribe((answer) => answer !== undefined && asked.push(answer));
  const earlier = send("POST", "one");
  while (asked.length < 1) await new Promise((resolve) => setImmediate(resolve));
  const later = send("POST", "two");
  while (asked.length < 2) await new Promise((resolve) => setImmediate(resolve));
  stop();
  assert.equal(codeOf(await earlier), "step_up_needed");
  proofWanted.value?.(true);
  assert.equal((await later).success, true);
  assert.deepEqual(
    page.service.calls.map(({ path }) => path.split("/").at(-1)),
    ["one", "two", "two"],
  );
});

test("never asks for a proof when it reads", async () => {
  await using page = await openPage([refusal(403, "step_up_needed")]);
  assert.equal(codeOf(await get("sites")), "step_up_needed");
  assert.equal(proofWanted.value, undefined);
  assert.equal(page.service.calls.length, 1);
});

test("returns an error with advice if the service is gone", async () => {
  const page = await openPage([success({})]);
  await page[Symbol.asyncDispose]();
  for (const answer of [await get("sites"), await send("POST", "sites")]) {
    assert.ok(!answer.success);
    assert.equal(answer.error.code, "internal_error");
    assert.match(answer.error.message, /could not be reached\. Check your connection/);
    assert.equal(answer.error.request_id, "", "no id that nobody could look up");
  }
});

test("reports any answer of a proxy in front of the service to the page, and nothing breaks", async () => {
  const foreign: unknown[] = [
    "<html><h1>502 Bad Gateway</h1></html>",
    "",
    "null",
    "[]",
    "7",
    { message: "upstream" },
    { success: "true", data: {} },
    { success: false },
    { success: false, error: null },
    { success: false, error: "timeout" },
    { success: false, error: { message: "no code" } },
    { success: false, error: { code: "no_message" } },
    { success: false, errors: [{ code: 1000, message: "a network's own error page" }] },
    { success: true },
    { success: true, data: null },
  ];
  for (const body of foreign) {
    await using page = await openPage([{ status: 502, body }]);
    for (const answer of [await get("sites"), await send("POST", "sites")]) {
      assert.ok(!answer.success, JSON.stringify(body));
      assert.equal(answer.error.code, "internal_error", JSON.stringify(body));
      assert.match(
        answer.error.message,
        /A proxy in front of the service answered/,
        JSON.stringify(body),
      );
    }
    assert.deepEqual(page.left, []);
  }
});

test("keeps a change's id from an unknown outcome until it is confirmed; any other change has its own id (D16, operator)", async () => {
  const lost = refusal(503, "internal_error");
  await using page = await openPage([
    lost,
    { status: 502, body: "<html>" },
    refusal(409, "conflict"),
    success({}),
  ]);
  for (let times = 0; times < 5; times++) await send("POST", "sites/pk_1/rotate");
  await send("POST", "sites", { name: "Shop" });
  const ids = page.service.calls.map(({ headers }) => headers["idempotency-key"]);
  assert.match(String(ids[0]), /^[0-9a-f]{32}$/);
  assert.deepEqual(ids.slice(0, 4), Array(4).fill(ids[0]), "the repeats");
  assert.equal(new Set(ids).size, 3, "a change after the confirmation is a new change");
});
