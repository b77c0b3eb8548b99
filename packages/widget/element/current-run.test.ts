import assert from "node:assert/strict";
import { test } from "node:test";
import type { RunEvent, WidgetEvent } from "../machine/widget-state.ts";
import { createCurrentRun } from "./current-run.ts";
import type { PageServices } from "./page-services.ts";

/**
 * A `run.js` at an address that needs no network; the file's name is appended and ends up in a
 * comment.
 */
const RUN =
  "export const startRun = ({ element, send }) => (effect) => element.doing.push({ effect, send });";
const page = {
  base: `data:text/javascript,${encodeURIComponent(`${RUN}//`)}`,
  refuses: () => false,
} as unknown as PageServices;

type Doing = {
  readonly effect: { readonly type: string };
  readonly send: (event: RunEvent) => void;
};

function begin(sent: WidgetEvent[], attributes: Readonly<Record<string, string>> = {}) {
  const doing: Doing[] = [];
  const element = {
    doing,
    getAttribute: (name: string) => attributes[name] ?? null,
  } as unknown as Element;
  const run = createCurrentRun(page, (event) => sent.push(event));
  const input = () => ({
    element,
    observed: Promise.resolve(),
    behaviour: () => assert.fail("asked for"),
  });
  return { run, doing, input };
}

/** Resolves when the script is loaded, and all code that waits for it has run. */
const settled = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

test("ignores the results of a run that has ended, and passes on the events of the next run", async () => {
  const sent: WidgetEvent[] = [];
  const { run, doing, input } = begin(sent);
  run.runEffect({ type: "fetch" }, input);
  while (doing.length === 0) await settled();
  const [first] = doing;
  first?.send({ type: "progress", found: 1 });
  run.end();
  first?.send({ type: "progress", found: 2 });
  first?.send({ type: "failed", error: { name: "internal" } });
  run.runEffect({ type: "fetch" }, input);
  while (doing.length === 1) await settled();
  doing[1]?.send({ type: "progress", found: 3 });
  assert.deepEqual(sent, [
    { type: "progress", found: 1 },
    { type: "progress", found: 3 },
  ]);
});

test("does nothing if a run ends while its script is fetched", async () => {
  const sent: WidgetEvent[] = [];
  const { run, doing, input } = begin(sent);
  run.runEffect({ type: "fetch" }, input);
  run.end();
  await settled();
  await settled();
  assert.deepEqual([doing, sent], [[], []]);
});

test("reports a foreign endpoint as an error before it does anything else (D8, challenge)", async () => {
  const sent: WidgetEvent[] = [];
  const { run, doing, input } = begin(sent, { endpoint: "https://evil.example" });
  run.runEffect({ type: "fetch" }, input);
  await settled();
  assert.deepEqual(doing, []);
  assert.deepEqual(sent, [
    { type: "failed", error: { name: "endpoint_not_allowed", detail: page.base } },
  ]);
});

test("cancels timers when their run ends", async () => {
  const { run } = begin([]);
  const heard: string[] = [];
  run.later(0, () => heard.push("ended"));
  run.end();
  await new Promise<void>((resolve) => run.later(1, resolve));
  assert.deepEqual(heard, []);
});
