import { setImmediate as pause } from "node:timers/promises";
import { GATE } from "@stile/core/domain/layout/agreement";
import { browserName, claimedEngine } from "@stile/core/domain/layout/claimed-engine";
import { enginesIn } from "@stile/core/domain/layout/layout-bank";
import { beginBake, browsersIn, finishBake, readScenes } from "@stile/core/flows/layout/bake-layouts";
import { decodeBase64url } from "@stile/pow/base64url";
import type { BakeDraftData, BakedData, GateData, LayoutsData, ScenesData } from "@stile/protocol/dashboard-layouts";
import { BODY_LIMITS } from "@stile/protocol/limits";
import { bakedSchema, bakeSchema, scenesQuerySchema } from "@stile/protocol/schemas/dashboard";
import type { DashboardPorts } from "../dashboard-ports.ts";
import { ok, refuse } from "../reply.ts";
import { type MemberCall, memberRoute, type Route } from "../route.ts";
import { createTurns } from "../turns.ts";

const STALE = refuse("conflict", {
  message: "Another browser changed the pages meanwhile. Start again: it takes a few seconds.",
});
const UNKNOWN_BROWSER = refuse("invalid_input", {
  message: "This browser can't be used. Open this page in a current Chromium, Firefox or Safari.",
});
const NOT_BELIEVED = refuse("invalid_input", {
  message:
    "This browser lays out pages unlike the others that were asked. Set its zoom to 100 %, turn off extensions that change pages, or make new pages.",
});

const TOO_MANY_AT_ONCE = refuse("rate_limited", {
  message: "Too many browsers answer at once. Try again after the time in Retry-After.",
  headers: { "Retry-After": "5" },
  denial: "changes_limited",
});

/** The answers that are compared with the bank, which takes half a second of a core: one at a time in this process. */
const comparing = createTurns({ atOnce: 1, mostWaiting: 4 });

const bakerOf = ({ userAgent, signedIn }: MemberCall) => ({ member: signedIn.member, userAgent });

const gateOf = ({ layoutVotes }: DashboardPorts): GateData => ({ ...layoutVotes.gate(), needed: GATE });

const gate = memberRoute({
  method: "GET",
  path: "layouts/gate",
  role: "viewer",
  handle: async ({ ports }) => ok(gateOf(ports)),
});

const layouts = memberRoute({
  method: "GET",
  path: "layouts",
  role: "admin",
  handle: async ({ ports, userAgent }) => {
    await ports.layoutScenes.refresh();
    await ports.layoutVotes.refresh(ports.clock.nowMs());
    const bank = ports.layoutScenes.newest();
    const claimed = claimedEngine(userAgent);
    const name = browserName(claimed);
    const isNew = bank === undefined || !enginesIn(bank).some((engine) => engine === claimed.engine);
    const data: LayoutsData = {
      nowMs: ports.clock.nowMs(),
      bank: bank ? { scenes: bank.scenes.length, drawnAtMs: bank.drawnAtMs, browsers: browsersIn(bank) } : null,
      gate: gateOf(ports),
      browser: name === undefined ? null : { name, isNew },
    };
    return ok(data);
  },
});

const draft = memberRoute({
  method: "POST",
  path: "layouts/drafts",
  role: "admin",
  body: bakeSchema,
  handle: async (call) => {
    const begun: BakeDraftData | undefined = await beginBake(
      call.ports,
      bakerOf(call),
      call.body.isFresh ? "new" : "again",
    );
    return begun === undefined ? UNKNOWN_BROWSER : ok(begun);
  },
});

const scenes = memberRoute({
  method: "GET",
  path: "layouts/scenes",
  role: "admin",
  query: scenesQuerySchema,
  handle: async ({ ports, signedIn, query }) => {
    const texts = readScenes(ports, signedIn.member, query.draft, query.at);
    return texts === undefined ? STALE : ok({ texts } satisfies ScenesData);
  },
});

const baked = memberRoute({
  method: "POST",
  path: "layouts",
  role: "admin",
  body: bakedSchema,
  bodyLimit: BODY_LIMITS.layouts,
  handle: async (call) => {
    const { draft, reads } = call.body;
    const outcome = await comparing("bank", () => {
      const answers = { draft, reads: decodeBase64url(reads) ?? new Uint8Array() };
      return finishBake(call.ports, bakerOf(call), answers, pause);
    });
    if (outcome === undefined) return TOO_MANY_AT_ONCE;
    switch (outcome.kind) {
      case "baked": {
        const data: BakedData = { scenes: outcome.bank.scenes.length, browsers: browsersIn(outcome.bank) };
        return ok(data);
      }
      case "stale":
        return STALE;
      case "unknown_browser":
        return UNKNOWN_BROWSER;
      case "not_believed":
        return NOT_BELIEVED;
      default:
        return outcome satisfies never;
    }
  },
});

/** The scenes that visitors' browsers lay out, and how a member's browser answers them (proof of browser). */
export const layoutRoutes: readonly Route[] = [gate, layouts, draft, scenes, baked];
