import type {
  ChallengeSpend,
  ChallengeSpendOutcome,
} from "../../domain/challenge/challenge-spend.ts";

/** Single use of challenges, with the same guarantees as `TokenLedger` (D9, submission). */
export interface ChallengeLedger {
  spend(spend: ChallengeSpend): Promise<ChallengeSpendOutcome>;
}
