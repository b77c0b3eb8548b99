import { decodeBase64url, encodeBase64url } from "@stile/pow/base64url";
import type { Member } from "../../domain/account/member.ts";
import { decodeUtf8, encodeUtf8 } from "../../domain/bytes.ts";
import { addAnswers, FEWEST_SCENES } from "../../domain/layout/bake-bank.ts";
import { browserName, claimedEngine, ENGINE_NAMES } from "../../domain/layout/claimed-engine.ts";
import { GRAMMAR, READS_PER_SCENE } from "../../domain/layout/create-scene.ts";
import { judgeLayout } from "../../domain/layout/judge-layout.ts";
import { type BankScene, type Engine, enginesIn, type LayoutBank } from "../../domain/layout/layout-bank.ts";
import { DRAWN_SCENES, drawScene, type SceneDraft } from "../../domain/layout/scene-draft.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { accountEntry } from "../account/signed-in.ts";

type Ports = Pick<ServicePorts, "clock" | "cryptography" | "vault" | "layoutBanks" | "layoutScenes" | "auditLog">;

/** The member whose browser answers, and what that browser says it is. */
export type Baker = { readonly member: Member; readonly userAgent: string };

/** A draft that was begun. */
export type BegunBake = { readonly draft: string; readonly scenes: number; readonly browser: string };

/** Result of the answers to a draft. Only `baked` changes the bank. */
export type BakeOutcome =
  | { readonly kind: "baked"; readonly bank: Omit<LayoutBank, "version"> }
  /** Another browser has baked in the meantime, or the draft is a day old: begin again. */
  | { readonly kind: "stale" }
  /** A browser that lays out no scenes, or is too old. */
  | { readonly kind: "unknown_browser" }
  /** The answers have the wrong number or form, differ from those of all other browsers, or leave too few scenes. */
  | { readonly kind: "not_believed" };

const DRAFT_MS = 86_400_000;
const SEED_BYTES = 16;
/** Scenes to draw or compare before other work gets a turn: about 10 ms. */
const SLICE = 50;
/** The least share of reads that must match the engines asked before. Real browsers have 0.96. */
const LEAST_ALIKE = 0.9;
/** The greatest values of a read: a letter for what lies at a place, 6 bits for an edge. */
const GREATEST = { hit: 26, edge: 63 } as const;

/** A draft is a seed, from which a version with another grammar would remake other scenes than those that were answered. */
const ownerOf = ({ userId }: Member): string => `layout draft ${GRAMMAR} ${userId}`;

function openDraft({ clock, vault, layoutScenes }: Ports, member: Member, text: string): SceneDraft | undefined {
  const sealed = decodeBase64url(text);
  const opened = sealed && vault.open(sealed, ownerOf(member));
  if (opened === undefined) return undefined;
  const { after, drawnAtMs, seed, begunAtMs } = JSON.parse(decodeUtf8(opened)) as SceneDraft & {
    readonly begunAtMs: number;
  };
  const isCurrent = after === (layoutScenes.newest()?.version ?? 0) && clock.nowMs() < begunAtMs + DRAFT_MS;
  return isCurrent ? { after, drawnAtMs, seed } : undefined;
}

const countOf = ({ layoutScenes }: Pick<Ports, "layoutScenes">, { seed }: SceneDraft): number =>
  seed === undefined ? (layoutScenes.newest()?.scenes.length ?? 0) : DRAWN_SCENES;

/** The draft's scenes from number `at` on, at most `SLICE`, with the answers known so far. */
function sliceOf({ cryptography, layoutScenes }: Ports, { seed }: SceneDraft, at: number): readonly BankScene[] {
  if (seed === undefined) return layoutScenes.newest()?.scenes.slice(at, at + SLICE) ?? [];
  const count = Math.max(0, Math.min(SLICE, DRAWN_SCENES - at));
  return Array.from({ length: count }, (_, index) => ({
    text: drawScene(cryptography.digest, seed, at + index),
    answers: {},
  }));
}

/** Begins to ask a member's browser: new scenes, or those of the bank again. Undefined if it cannot answer. */
export async function beginBake(ports: Ports, baker: Baker, scenes: "new" | "again"): Promise<BegunBake | undefined> {
  const browser = browserName(claimedEngine(baker.userAgent));
  if (browser === undefined) return undefined;
  await ports.layoutScenes.refresh();
  const newest = ports.layoutScenes.newest();
  const nowMs = ports.clock.nowMs();
  const draft: SceneDraft =
    newest === undefined || scenes === "new"
      ? {
          after: newest?.version ?? 0,
          drawnAtMs: nowMs,
          seed: encodeBase64url(ports.cryptography.randomBytes(SEED_BYTES)),
        }
      : { after: newest.version, drawnAtMs: newest.drawnAtMs, seed: undefined };
  const sealed = ports.vault.seal(encodeUtf8(JSON.stringify({ ...draft, begunAtMs: nowMs })), ownerOf(baker.member));
  return { draft: encodeBase64url(sealed), scenes: countOf(ports, draft), browser };
}

/** The texts of the draft's next scenes from number `at` on; undefined if the draft is stale. */
export function readScenes(ports: Ports, member: Member, draft: string, at: number): readonly string[] | undefined {
  const opened = openDraft(ports, member, draft);
  return opened && sliceOf(ports, opened, at).map(({ text }) => text);
}

/** Whether each read is a value that the solver frame can return. */
function areReads(text: string, reads: Uint8Array): boolean {
  const kinds = text.split("\n")[1]?.split(" ") ?? [];
  return reads.every((value, index) => value <= (kinds[index]?.startsWith("h") ? GREATEST.hit : GREATEST.edge));
}

type Answers = { readonly engine: Engine; readonly reads: Uint8Array };

/** The draft's scenes with the answers added; undefined if they are not believed. `pause` gives other work a turn. */
async function joinAnswers(ports: Ports, draft: SceneDraft, { engine, reads }: Answers, pause: () => Promise<void>) {
  const count = countOf(ports, draft);
  if (reads.length !== READS_PER_SCENE * count) return undefined;
  const joined: BankScene[] = [];
  const alike = { kept: 0, right: 0 };
  for (let at = 0; at < count; at += SLICE) {
    const scenes = sliceOf(ports, draft, at);
    const own = reads.subarray(READS_PER_SCENE * at, READS_PER_SCENE * (at + scenes.length));
    const readsOf = (index: number) => own.subarray(READS_PER_SCENE * index, READS_PER_SCENE * (index + 1));
    if (!scenes.every(({ text }, index) => areReads(text, readsOf(index)))) return undefined;
    const { kept, right } = judgeLayout(scenes, own, engine);
    alike.kept += kept;
    alike.right += right;
    joined.push(...addAnswers(scenes, { engine, reads: own }));
    await pause();
  }
  const isBelieved = alike.right >= LEAST_ALIKE * alike.kept && joined.length >= FEWEST_SCENES;
  return isBelieved ? joined : undefined;
}

/** Adds a browser's answers to a draft to the bank, all or nothing, with an audit entry. */
export async function finishBake(
  ports: Ports,
  { member, userAgent }: Baker,
  { draft, reads }: { readonly draft: string; readonly reads: Uint8Array },
  pause: () => Promise<void>,
): Promise<BakeOutcome> {
  const claimed = claimedEngine(userAgent);
  const browser = browserName(claimed);
  if (claimed.engine === undefined || browser === undefined) return { kind: "unknown_browser" };
  await ports.layoutScenes.refresh();
  const opened = openDraft(ports, member, draft);
  if (opened === undefined) return { kind: "stale" };
  const scenes = await joinAnswers(ports, opened, { engine: claimed.engine, reads }, pause);
  if (scenes === undefined) return { kind: "not_believed" };
  const bank = { bakedAtMs: ports.clock.nowMs(), drawnAtMs: opened.drawnAtMs, scenes };
  if ((await ports.layoutBanks.addBank(bank, opened.after)) === undefined) return { kind: "stale" };
  await ports.auditLog.append(accountEntry(ports, member, "layouts_baked", { subject: browser }));
  await ports.layoutScenes.refresh();
  return { kind: "baked", bank };
}

/** Names of the browsers that have answered. */
export const browsersIn = (bank: Pick<LayoutBank, "scenes">): string[] =>
  enginesIn(bank).map((engine) => ENGINE_NAMES[engine]);
