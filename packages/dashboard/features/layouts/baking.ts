import { signal } from "@preact/signals";
import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import type { BakeDraftData, BakedData, ScenesData } from "@stile/protocol/dashboard-layouts";
import { get, send } from "../../api.ts";
import { announce } from "../../ui/notice.tsx";
import { type BakeRun, findRun, keepRun } from "./kept-run.ts";
import { openLayoutFrame } from "./layout-frame.ts";
import { LAYOUTS } from "./text.ts";

/** How far this tab has got with asking its browser. */
export type Baking =
  | { readonly state: "idle" }
  | {
      readonly state: "running" | "stopped";
      readonly browser: string;
      readonly done: number;
      readonly scenes: number;
    }
  /** `message` says what to do. */
  | { readonly state: "failed"; readonly message: string };

/** Shared by all pages of this tab: it goes on while the member moves through the dashboard. */
export const baking = signal<Baking>({ state: "idle" });
/** How many banks this tab has made since it was opened; pages that show a bank read it again when this changes. */
export const bakedCount = signal(0);

/** Pages laid out per turn, about 15 ms: in between the dashboard can react. In a hidden tab nobody waits for that. */
const TURN = { seen: 4, hidden: 50 } as const;
/** How many times it begins in all if another browser was faster. */
const TRIES = 3;

function idle(): Promise<unknown> {
  return new Promise((resolve) => {
    if (document.hidden || !("requestIdleCallback" in globalThis)) setTimeout(resolve, document.hidden ? 0 : 30);
    else requestIdleCallback(resolve, { timeout: 1000 });
  });
}

function show({ isStopped, browser, done, scenes }: BakeRun): void {
  baking.value = { state: isStopped ? "stopped" : "running", browser, done, scenes };
}

const fail = (message: string): undefined => {
  baking.value = { state: "failed", message };
  return undefined;
};

/** Answers everything left of the run, or as much as gets done until somebody stops it; undefined after a fault. */
async function answerAll(begun: BakeRun): Promise<BakeRun | undefined> {
  const frame = await openLayoutFrame();
  try {
    let run = begun;
    const reads = new Uint8Array(16 * run.scenes);
    reads.set(decodeBase64url(run.reads) ?? []);
    while (run.done < run.scenes && baking.value.state === "running") {
      const answer = await get<ScenesData>("layouts/scenes", { draft: run.draft, at: run.done });
      // A stale draft is refused again when it is handed in, and begun anew there.
      if (!answer.success && answer.error.code === "conflict") return run;
      if (!answer.success) {
        keepRun({ ...run, isStopped: true });
        return fail(answer.error.message);
      }
      const { texts } = answer.data;
      for (let at = 0; at < texts.length && baking.value.state === "running"; ) {
        await idle();
        const turn = texts.slice(at, at + TURN[document.hidden ? "hidden" : "seen"]);
        reads.set(await frame.layOut(turn), 16 * run.done);
        at += turn.length;
        const done = run.done + turn.length;
        const isStopped = baking.value.state !== "running";
        run = { ...run, done, isStopped, reads: encodeBase64url(reads.subarray(0, 16 * done)) };
        keepRun(run);
        show(run);
      }
    }
    return run.done === run.scenes ? run : undefined;
  } catch {
    return fail(LAYOUTS.frameFailed);
  } finally {
    frame.close();
  }
}

async function begin(isFresh: boolean): Promise<BakeRun | undefined> {
  const answer = await send<BakeDraftData>("POST", "layouts/drafts", { isFresh });
  if (!answer.success) return fail(answer.error.message);
  return { ...answer.data, userAgent: navigator.userAgent, isStopped: false, done: 0, reads: "" };
}

async function bake(isFresh: boolean, kept: BakeRun | undefined): Promise<void> {
  let run = kept ?? (await begin(isFresh));
  for (let tries = 1; run !== undefined; tries++) {
    run = { ...run, isStopped: false };
    keepRun(run);
    show(run);
    const whole = await answerAll(run);
    if (whole === undefined) return;
    keepRun(undefined);
    const { draft, reads } = whole;
    const answer = await send<BakedData>("POST", "layouts", { draft, reads });
    if (answer.success) {
      baking.value = { state: "idle" };
      bakedCount.value += 1;
      announce(LAYOUTS.baked(answer.data));
      return;
    }
    const isLate = answer.error.code === "conflict" && tries < TRIES;
    // The other browser's pages exist by now: this browser adds its answers to them.
    run = isLate ? await begin(false) : fail(answer.error.message);
  }
}

/** Makes this tab ask its browser, with new or existing pages; continues a kept run. Only one tab at a time. */
export async function startBaking(isFresh: boolean, kept?: BakeRun): Promise<void> {
  await navigator.locks.request("stile-bake", { ifAvailable: true }, async (lock) => {
    if (lock === null) fail(LAYOUTS.elsewhere);
    else await bake(isFresh, kept);
  });
}

/** Stops after the pages that are being laid out; the answers so far are kept. */
export function stopBaking(): void {
  if (baking.value.state !== "running") return;
  baking.value = { ...baking.value, state: "stopped" };
  const run = findRun();
  if (run !== undefined) keepRun({ ...run, isStopped: true });
}

/** Continues what a reload, or the member, interrupted; with `isAsked` also if a member stopped it. */
export function resumeBaking(isAsked: boolean): void {
  const run = findRun();
  if (run === undefined || baking.value.state === "running") return;
  if (run.isStopped && !isAsked) show(run);
  else void startBaking(false, run);
}
