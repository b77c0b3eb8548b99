import { createHash } from "node:crypto";
import { RISK_FLAGS, type RiskFlag } from "@stile/protocol/risk-flags";
import { FITTED_FLAGS, weightBounds } from "@stile/risk/weight-bounds";
import { FLAG_WEIGHTS, type FlagWeights } from "@stile/risk/weights";
import { COMMAND_LINE } from "../command-line.ts";
import type { DataDirectory } from "../data-directory/data-directory.ts";
import { DataDirectoryProblem } from "../data-directory/data-directory-problem.ts";

const FILE = "risk-weights.json";
const HASH_DIGITS = 12;

/**
 * Weights fitted to the operator's own decisions, and the numbers of human visitors and bots among
 * these.
 */
export type OwnWeights = {
  readonly weights: FlagWeights;
  readonly people: number;
  readonly bots: number;
};

/** The weights that the service scores by. */
export type WeightsInForce =
  /** The built-in weights. */
  | { readonly kind: "table"; readonly hash: string }
  | (OwnWeights & { readonly kind: "own"; readonly hash: string })
  /** Weights fitted for another release's table; not used. */
  | { readonly kind: "outdated"; readonly hash: string };

const digest = (value: unknown): string =>
  createHash("sha256").update(JSON.stringify(value)).digest("hex").slice(0, HASH_DIGITS);

const inOrder = (weights: FlagWeights) =>
  (Object.keys(RISK_FLAGS) as RiskFlag[]).map((flag) => [flag, weights[flag]]);

/** Identifies weights: equal numbers give equal names. */
export const hashOf = (weights: FlagWeights): string => digest(inOrder(weights));

/**
 * Identifies the basis of fitted weights, because another release may have another table, or fit
 * other flags.
 */
const FITTED_AROUND = digest([
  inOrder(FLAG_WEIGHTS),
  FITTED_FLAGS.map((flag) => [flag, weightBounds(flag)]),
]);

function damaged(directory: DataDirectory, what: string): DataDirectoryProblem {
  const file = directory.riskFile(FILE);
  return new DataDirectoryProblem(
    `${file} ${what}. Run "${COMMAND_LINE} risk train" again, or remove the file.`,
  );
}

function parseJson(directory: DataDirectory, text: string): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === "object" && parsed !== null) return parsed as Record<string, unknown>;
  } catch {
    // Reported below, like any other text that is not an object.
  }
  throw damaged(directory, "is no JSON object");
}

function toWeights(directory: DataDirectory, said: unknown): FlagWeights {
  const weights: Record<RiskFlag, number> = { ...FLAG_WEIGHTS };
  const given =
    typeof said === "object" && said !== null ? (said as Readonly<Record<string, unknown>>) : {};
  for (const flag of FITTED_FLAGS) {
    const weight = given[flag];
    const { least, most } = weightBounds(flag);
    if (typeof weight !== "number" || !(weight >= least && weight <= most)) {
      throw damaged(
        directory,
        `gives ${flag} a weight that is not from ${least} to ${most.toFixed(2)}`,
      );
    }
    weights[flag] = weight;
  }
  return weights;
}

/**
 * The weights to score by. Throws DataDirectoryProblem if the operator's file is damaged or was
 * edited.
 */
export function readFlagWeights(directory: DataDirectory): WeightsInForce {
  const text = directory.readRiskFile(FILE);
  const table = hashOf(FLAG_WEIGHTS);
  if (text === undefined) return { kind: "table", hash: table };
  const { fitted_around: around, hash, people, bots, weights: said } = parseJson(directory, text);
  if (typeof around !== "string")
    throw damaged(directory, "does not say which table it was made for");
  if (around !== FITTED_AROUND) return { kind: "outdated", hash: table };
  const weights = toWeights(directory, said);
  if (hash !== hashOf(weights)) throw damaged(directory, "was changed by hand");
  return { kind: "own", weights, hash, people: Number(people), bots: Number(bots) };
}

/** Stores fitted weights for the next start; returns their hash. */
export function writeFlagWeights(
  directory: DataDirectory,
  { weights, people, bots }: OwnWeights,
  nowMs: number,
): string {
  const hash = hashOf(weights);
  const madeAt = new Date(nowMs).toISOString();
  const fitted = Object.fromEntries(FITTED_FLAGS.map((flag) => [flag, weights[flag]]));
  const document = {
    fitted_around: FITTED_AROUND,
    hash,
    made_at: madeAt,
    people,
    bots,
    weights: fitted,
  };
  directory.writeRiskFile(FILE, `${JSON.stringify(document, undefined, 2)}\n`);
  return hash;
}
