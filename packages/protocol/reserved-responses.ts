/**
 * Values of the widget's field if there is no token; no token can look like them. Anybody can write
 * them, so a verification never accepts one. They show the customer's server why there is no token
 * (D2, redemption; D15, outage).
 */
export const RESERVED_RESPONSES = {
  pending: "The form was sent before the widget was done, by a way that it can't hold.",
  unavailable:
    "The page could not reach the service, and the site lets the form go without a token.",
} as const;

/** One of the words. */
export type ReservedResponse = keyof typeof RESERVED_RESPONSES;

/** Whether a text instead of a token is one of the reserved words. */
export function isReservedResponse(text: string): text is ReservedResponse {
  return Object.hasOwn(RESERVED_RESPONSES, text);
}
