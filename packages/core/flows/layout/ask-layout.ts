import type { Challenge } from "@stile/pow/challenge";
import { DEFAULT_THRESHOLDS } from "@stile/protocol/limits";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { type Assessment, scoreWithout } from "@stile/risk/assess";
import type { LayoutEvidence } from "@stile/risk/evidence";
import { browserName, claimedEngine } from "../../domain/layout/claimed-engine.ts";
import { judgeLayout } from "../../domain/layout/judge-layout.ts";
import { parseLayoutAnswer, splitSolution } from "../../domain/layout/layout-answer.ts";
import { chooseScenes, type LayoutBank, toScenesText } from "../../domain/layout/layout-bank.ts";
import type { Site } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { isMarkedLive, markLive } from "./live-mark.ts";

type JudgingPorts = AskingPorts & Pick<ServicePorts, "localLimiter" | "layoutVotes">;
type AskingPorts = Pick<ServicePorts, "cryptography" | "layoutScenes">;
type IssuingPorts = Pick<ServicePorts, "cryptography" | "layoutVotes">;

/** How long after a bank was baked every node surely gives out its scenes, ms: who got none before is held to nothing. */
const SPREAD_MS = 120_000;
/** Fewest reads that must count before anything is said of them. */
const MIN_KEPT = 12;
/** Visits a minute by browsers that are too old for the scenes, from one client, of which nothing is made. */
const OLD_PER_MINUTE = 3;

/** Which scenes a challenge asks: nobody can tell them before it, and nothing is stored. */
function scenesOf({ cryptography }: AskingPorts, bank: LayoutBank, challenge: Challenge): number[] {
  const key = keyReference(challenge.keyId, "layout", challenge.issuedAtMs);
  return chooseScenes(bank, cryptography.mac(key, challenge.id) ?? new Uint8Array(32));
}

/** What a page is to lay out for this challenge, as it is sent (D8); undefined without a bank, and where the site does not ask. */
export function askLayout(ports: AskingPorts, site: Site, challenge: Challenge): string | undefined {
  const bank = ports.layoutScenes.newest();
  if (bank === undefined || site.proofOfBrowser === "off") return undefined;
  return toScenesText(bank, scenesOf(ports, bank, challenge));
}

const LAYOUT_FLAGS: readonly RiskFlag[] = [
  "layout_wrong",
  "layout_uncertain",
  "layout_missing",
  "layout_engine_mismatch",
  "layout_unsupported",
];
/** Scores below it ask nobody for anything, at a site that changed nothing. */
const HONEST_BELOW = DEFAULT_THRESHOLDS.challenge;

/** A right solution of a visitor of the site. */
export type LaidOut = {
  readonly site: Site;
  readonly challenge: Challenge;
  readonly solutionBytes: Uint8Array;
  readonly userAgent: string;
  /** The client's name in the counters. */
  readonly client: string;
  readonly nowMs: number;
};

/** What a visit says of the bank: how much of its reads is as its own engine's, which was asked. */
export type LayoutVote = { readonly release: string; readonly share: number };

/** What is made of a visitor's reads. */
export type LayoutFinding = {
  readonly evidence: LayoutEvidence;
  /** Undefined for an engine that nobody baked, and for who read nothing. */
  readonly vote: LayoutVote | undefined;
};

/** What the reads of the three scenes come to; undefined where too little of them counts to say anything. */
function findingOf(ports: JudgingPorts, { challenge, userAgent }: LaidOut, bank: LayoutBank, reads: Uint8Array) {
  const claimed = claimedEngine(userAgent);
  const { engine } = claimed;
  const release = browserName(claimed);
  const scenes = scenesOf(ports, bank, challenge).flatMap((number) => bank.scenes[number] ?? []);
  const isBaked = engine !== undefined && scenes.every(({ answers }) => answers[engine] !== undefined);
  // A release that lays out otherwise than its engine did is held to what all engines share, as if nobody had baked it.
  const isEngineKnown = isBaked && !(release !== undefined && ports.layoutVotes.isFallen(release));
  const { kept, right, isOtherEngine } = judgeLayout(scenes, reads, isEngineKnown ? engine : undefined);
  if (kept < MIN_KEPT) return undefined;
  const own = isBaked ? judgeLayout(scenes, reads, engine) : undefined;
  const vote = own && release !== undefined ? { release, share: own.right / Math.max(1, own.kept) } : undefined;
  return { share: right / kept, isEngineKnown, isOtherEngine, vote };
}

/** Whether layouts raise scores at this site: its owner says so, or leaves it to what honest visits said. */
function isLayoutLive({ layoutVotes }: IssuingPorts, { proofOfBrowser }: Site): boolean {
  return proofOfBrowser === "live" || (proofOfBrowser === "auto" && layoutVotes.gate().isOpen);
}

/** The id of a challenge that is about to be signed, which remembers whether layouts count at the site by now. */
export function rememberLayout(ports: IssuingPorts, site: Site, made: Pick<Challenge, "id" | "keyId" | "issuedAtMs">) {
  return isLayoutLive(ports, site) ? markLive(ports.cryptography, made) : made.id;
}

/** Holds what was read of the scenes against the bank; undefined, which is neutral, where nothing was asked or nothing is known. */
export function findLayout(ports: JudgingPorts, laidOut: LaidOut): LayoutFinding | undefined {
  const { site, challenge, solutionBytes, userAgent, client, nowMs } = laidOut;
  const newest = ports.layoutScenes.newest();
  if (newest === undefined || site.proofOfBrowser === "off") return undefined;
  // Who was asked before it counted may have been asked for nothing.
  const isLive = isLayoutLive(ports, site) && isMarkedLive(ports.cryptography, challenge);
  const said = { isLive, isOld: claimedEngine(userAgent).isOld };
  const answer = parseLayoutAnswer(splitSolution(solutionBytes).layoutBytes);
  const bank = answer && ports.layoutScenes.find(answer.version);
  if (answer?.kind === "read" && bank !== undefined) {
    const finding = findingOf(ports, laidOut, bank, answer.reads);
    if (finding === undefined) return undefined;
    const { vote, ...evidence } = finding;
    return { evidence: { ...said, ...evidence }, vote };
  }
  if (challenge.issuedAtMs < newest.bakedAtMs + SPREAD_MS) return undefined;
  const quota = { scope: `layout-old:${client}`, perMinute: OLD_PER_MINUTE, nowMs };
  if (said.isOld && ports.localLimiter.consume(quota).isAdmitted) return undefined;
  return { evidence: { ...said, share: undefined, isEngineKnown: false, isOtherEngine: false }, vote: undefined };
}

/** What a visit says of the bank, if nothing but its layouts may speak against it. */
export function honestVote(judged: Assessment, finding: LayoutFinding | undefined): LayoutVote | undefined {
  return scoreWithout(LAYOUT_FLAGS, judged) < HONEST_BELOW ? finding?.vote : undefined;
}
