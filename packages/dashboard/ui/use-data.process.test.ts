import assert from "node:assert/strict";
import { test } from "node:test";
import {
  refusal,
  type ServiceReply,
  startAnswering,
  success,
} from "@stile/testkit/page/answering-service";
import { runHook } from "@stile/testkit/page/run-hook";
import { standAt } from "@stile/testkit/page/stand-at";
import type { UrlQuery } from "./query.ts";
import { useData } from "./use-data.ts";

type Data = { readonly count: number };
type Asked = { path: string | undefined; query?: UrlQuery; keepsOld?: boolean };

/** A page that reads what `asked` names, from a service with these answers. */
async function reading(
  asked: Asked,
  ...replies: readonly (ServiceReply | Promise<ServiceReply>)[]
) {
  const service = await startAnswering();
  service.answer(...replies);
  standAt(`${service.origin}/dashboard/sites`);
  const hook = runHook(() =>
    useData<Data>(asked.path, asked.query, { keepsOld: asked.keepsOld === true }),
  );
  return {
    ...hook,
    service,
    /** Reads something else from now on. */
    ask: (next: Partial<Asked>): void => {
      Object.assign(asked, next);
      hook.again();
    },
    [Symbol.asyncDispose]: async () => {
      await hook.end();
      await service[Symbol.asyncDispose]();
    },
  };
}

/** A reply that is held back until `letGo` is called. */
function held(reply: ServiceReply): {
  readonly reply: Promise<ServiceReply>;
  readonly letGo: () => void;
} {
  const { promise, resolve } = Promise.withResolvers<ServiceReply>();
  return { reply: promise, letGo: () => resolve(reply) };
}

test("loads when it appears, and then has the data", async () => {
  await using page = await reading({ path: "sites" }, success({ count: 3 }));
  assert.deepEqual([page.latest().state, page.latest().data], ["loading", undefined]);
  const { data, error } = await page.until(({ state }) => state === "ready");
  assert.deepEqual([data, error], [{ count: 3 }, undefined]);
  assert.equal(page.service.calls.length, 1);
});

test("reads nothing without a path, and begins when there is one", async () => {
  await using page = await reading({ path: undefined }, success({ count: 3 }));
  page.latest().reload();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual([page.latest().state, page.service.calls.length], ["loading", 0]);
  page.ask({ path: "sites" });
  assert.equal((await page.until(({ state }) => state === "ready")).data?.count, 3);
});

test("returns the error of a failure, and clears it by reading again", async () => {
  await using page = await reading(
    { path: "sites" },
    refusal(503, "internal_error"),
    success({ count: 4 }),
  );
  const failed = await page.until(({ state }) => state === "failed");
  assert.equal(failed.error?.code, "internal_error");
  failed.reload();
  const ready = await page.until(({ state }) => state === "ready");
  assert.deepEqual([ready.data, ready.error], [{ count: 4 }, undefined]);
});

test("keeps the last data visible next to the error after a failed repeat", async () => {
  await using page = await reading(
    { path: "sites" },
    success({ count: 5 }),
    refusal(503, "internal_error"),
  );
  (await page.until(({ state }) => state === "ready")).reload();
  const late = await page.until(({ error }) => error !== undefined);
  assert.deepEqual(
    [late.state, late.data?.count, late.error?.code],
    ["ready", 5, "internal_error"],
  );
});

test("never shows data of one site under another: while the other is read, there are none", async () => {
  await using page = await reading(
    { path: "sites/a" },
    success({ count: 1 }),
    success({ count: 2 }),
  );
  await page.until(({ state }) => state === "ready");
  page.ask({ path: "sites/b" });
  assert.deepEqual([page.latest().state, page.latest().data], ["loading", undefined]);
  assert.equal((await page.until(({ state }) => state === "ready")).data?.count, 2);
});

test("drops an answer that comes after another request was made", async () => {
  const slow = held(success({ count: 1 }));
  await using page = await reading({ path: "sites/a" }, slow.reply, success({ count: 2 }));
  while (page.service.calls.length < 1) await new Promise((resolve) => setImmediate(resolve));
  page.ask({ path: "sites/b" });
  await page.until(({ data }) => data?.count === 2);
  slow.letGo();
  page.latest().reload();
  for (let call = 0; call < 20; call++) {
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(page.latest().data?.count, 2);
  }
});

test("never replaces data read after a change by data read before it, however late they come", async () => {
  const slow = held(success({ count: 1 }));
  await using page = await reading({ path: "sites/a" }, slow.reply, success({ count: 2 }));
  while (page.service.calls.length < 1) await new Promise((resolve) => setImmediate(resolve));
  page.latest().reload();
  await page.until(({ data }) => data?.count === 2);
  slow.letGo();
  for (let turn = 0; turn < 100; turn++) {
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(page.latest().data?.count, 2);
  }
});

test("keeps the old figures visible until those of another range are there, if a page wants that", async () => {
  const slow = held(success({ count: 2 }));
  await using page = await reading(
    { path: "outcome", query: { range: "24h" }, keepsOld: true },
    success({ count: 1 }),
    slow.reply,
  );
  await page.until(({ state }) => state === "ready");
  page.ask({ query: { range: "7d" } });
  assert.equal(page.latest().data?.count, 1);
  slow.letGo();
  await page.until(({ data }) => data?.count === 2);
  assert.deepEqual(
    page.service.calls.map(({ path }) => path.split("?")[1]),
    ["range=24h", "range=7d"],
  );
});

test("reads nothing again for the same query in another object", async () => {
  await using page = await reading(
    { path: "outcome", query: { range: "24h" } },
    success({ count: 1 }),
  );
  await page.until(({ state }) => state === "ready");
  for (let draw = 0; draw < 5; draw++) page.ask({ query: { range: "24h" } });
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(page.service.calls.length, 1);
});
