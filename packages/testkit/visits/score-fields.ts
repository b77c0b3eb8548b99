import type { ScoreFields } from "@stile/core/use-cases/score/request-score";

/** A score request without any information (D7, score request). */
export const NO_SCORE_FIELDS: ScoreFields = {
  requestId: "request-1",
  signals: undefined,
  remoteIp: undefined,
  userAgent: undefined,
  headers: {},
  token: undefined,
  actionName: undefined,
  host: undefined,
};
