import type { Challenge } from "@stile/pow/challenge";
import { DEFAULT_THRESHOLDS } from "@stile/protocol/limits";
import type { RiskFlag } from "@stile/protocol/risk-flags";
import { type Assessment, scoreWithout } from "@stile/risk/assess";
import type { LayoutEvidence } from "@stile/risk/evidence";
import { isLayoutOdd } from "@stile/risk/layout";
import { browserName, claimedEngine } from "../../domain/layout/claimed-engine.ts";
import { judgeLayout } from "../../domain/layout/judge-layout.ts";
import { parseLayoutAnswer, splitSolution } from "../../domain/layout/layout-answer.ts";
import { chooseScenes, type LayoutBank, toScenesText } from "../../domain/layout/layout-bank.ts";
import type { Site } from "../../domain/site/site.ts";
import type { ServicePorts } from "../../ports/service-ports.ts";
import { keyReference } from "../visitor/key-reference.ts";
import { countUnder } from "../visitor/network-evidence.ts";
import { isMarkedLive, markLive } from "./live-mark.ts";

type JudgingPorts = AskingPorts & Pick<ServicePorts, "localLimiter" | "layoutVotes">;
type AskingPorts = Pick<ServicePorts, "cryptography" | "layoutScenes">;
type IssuingPorts = Pick<ServicePorts, "cryptography" | "layoutVotes">;

/** Time after baking (ms) until every node surely sends its scenes. Before, missing reads are nobody's fault. */
const SPREAD_MS = 120_000;
/** How many times a minute an answer to unknown scenes makes a node look for them: every forger can name some. */
const LOOKS_PER_MINUTE = 60;
/** The fewest counted reads that allow a statement. */
const MIN_KEPT = 12;
/**
 * Visits a minute by browsers too old for the scenes that do not count against them: so many of one network, and of a
 * site this share of those that lay out as browsers do, but not fewer than this. Any script can say that it is old.
 */
const OLD = { ofNetwork: 3, shareOfSite: 1 / 10, ofSite: 6 } as const;

/** The scenes of a challenge. They follow from its id and a secret: unpredictable, and nothing is stored. */
function scenesOf({ cryptography }: AskingPorts, bank: LayoutBank, challenge: Challenge): number[] {
  const key = keyReference(challenge.keyId, "layout", challenge.issuedAtMs);
  return chooseScenes(bank, cryptography.mac(key, challenge.id) ?? new Uint8Array(32));
}

/** What a page is to lay out for this challenge, as text (D8); undefined without a bank, or if the site opted out. */
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
/** Scores below this lead to nothing at a site with default settings. */
const HONEST_BELOW = DEFAULT_THRESHOLDS.challenge;

/** A correct solution of a visitor of the site. */
export type LaidOut = {
  readonly site: Site;
  readonly challenge: Challenge;
  readonly solutionBytes: Uint8Array;
  readonly userAgent: string;
  /** The names of the networks that took part: where the challenge was drawn, and where it is submitted from. */
  readonly networks: readonly string[];
  readonly nowMs: number;
};

/** A visit's vote about the bank: the share of its reads that match the answers of its own, baked engine. */
export type LayoutVote = { readonly release: string; readonly share: number };

/** What follows from a visitor's reads. */
export type LayoutFinding = {
  readonly evidence: LayoutEvidence;
  /** Undefined for an engine that was not baked, and if nothing was read. */
  readonly vote: LayoutVote | undefined;
};

/** The result of the reads of the three scenes; undefined if too few of them count. */
function findingOf(ports: JudgingPorts, { challenge, userAgent }: LaidOut, bank: LayoutBank, reads: Uint8Array) {
  const claimed = claimedEngine(userAgent);
  const { engine } = claimed;
  const release = browserName(claimed);
  const scenes = scenesOf(ports, bank, challenge).flatMap((number) => bank.scenes[number] ?? []);
  const isBaked = engine !== undefined && scenes.every(({ answers }) => answers[engine] !== undefined);
  // A release that lays out differently from its engine is judged by what all engines share, as if it was never baked.
  const isEngineKnown = isBaked && !(release !== undefined && ports.layoutVotes.isFallen(release));
  const { kept, right, isOtherEngine } = judgeLayout(scenes, reads, isEngineKnown ? engine : undefined);
  if (kept < MIN_KEPT) return undefined;
  const own = isBaked ? judgeLayout(scenes, reads, engine) : undefined;
  const vote = own && release !== undefined ? { release, share: own.right / Math.max(1, own.kept) } : undefined;
  return { share: right / kept, isEngineKnown, isOtherEngine, vote };
}

/** Whether layouts raise scores at this site: its owner decided so, or left it to the votes of honest visits. */
function isLayoutLive({ layoutVotes }: IssuingPorts, { proofOfBrowser }: Site): boolean {
  return proofOfBrowser === "live" || (proofOfBrowser === "auto" && layoutVotes.gate().isOpen);
}

/** The id of a challenge about to be signed. It records whether layouts count at the site now. */
export function rememberLayout(ports: IssuingPorts, site: Site, made: Pick<Challenge, "id" | "keyId" | "issuedAtMs">) {
  return isLayoutLive(ports, site) ? markLive(ports.cryptography, made) : made.id;
}

/** Where visits are counted that were laid out as browsers do it. */
const laidOutScope = ({ siteKey }: Site): string => `laid-out:${siteKey}`;

/** Whether a browser that is too old for the scenes may leave them; counts it for its networks and the site. */
function isOldExcused({ localLimiter }: JudgingPorts, { site, networks, nowMs }: LaidOut): boolean {
  const isWithin = (scope: string, perMinute: number): boolean =>
    localLimiter.consume({ scope: `layout-old:${scope}`, perMinute, nowMs }).isAdmitted;
  const laidOut = localLimiter.ratePerMinute(laidOutScope(site), nowMs);
  const ofSite = Math.max(OLD.ofSite, Math.floor(OLD.shareOfSite * laidOut));
  return networks.every((network) => isWithin(network, OLD.ofNetwork)) && isWithin(site.siteKey, ofSite);
}

/** Looks for scenes that this node has not heard of, if the visitor answered some: another node may have sent them. */
export async function learnScenes(
  { layoutScenes, localLimiter }: JudgingPorts,
  { solutionBytes, nowMs }: Pick<LaidOut, "solutionBytes" | "nowMs">,
): Promise<void> {
  const answer = parseLayoutAnswer(splitSolution(solutionBytes).layoutBytes);
  if (answer === undefined || layoutScenes.find(answer.version) !== undefined) return;
  const look = { scope: "layout-scenes", perMinute: LOOKS_PER_MINUTE, nowMs };
  if (localLimiter.consume(look).isAdmitted) await layoutScenes.refresh();
}

/** Compares a visitor's reads with the bank. Undefined, which is neutral, if nothing was asked or is known. */
export function findLayout(ports: JudgingPorts, laidOut: LaidOut): LayoutFinding | undefined {
  const { site, challenge, solutionBytes, userAgent } = laidOut;
  const newest = ports.layoutScenes.newest();
  if (newest === undefined || site.proofOfBrowser === "off") return undefined;
  // A visitor whose challenge was issued before layouts counted may have been sent no scenes.
  const isLive = isLayoutLive(ports, site) && isMarkedLive(ports.cryptography, challenge);
  const said = { isLive, isOld: claimedEngine(userAgent).isOld };
  const answer = parseLayoutAnswer(splitSolution(solutionBytes).layoutBytes);
  const bank = answer && ports.layoutScenes.find(answer.version);
  if (answer?.kind === "read" && bank !== undefined) {
    const finding = findingOf(ports, laidOut, bank, answer.reads);
    if (finding === undefined) return undefined;
    const { vote, ...found } = finding;
    const evidence = { ...said, ...found };
    if (!isLayoutOdd(evidence)) countUnder(ports.localLimiter, laidOutScope(site), laidOut.nowMs);
    return { evidence, vote };
  }
  if (challenge.issuedAtMs < newest.bakedAtMs + SPREAD_MS) return undefined;
  if (said.isOld && isOldExcused(ports, laidOut)) return undefined;
  return { evidence: { ...said, share: undefined, isEngineKnown: false, isOtherEngine: false }, vote: undefined };
}

/** The visit's vote about the bank, if nothing but its layouts could count against it. */
export function honestVote(judged: Assessment, finding: LayoutFinding | undefined): LayoutVote | undefined {
  return scoreWithout(LAYOUT_FLAGS, judged) < HONEST_BELOW ? finding?.vote : undefined;
}
