/**
 * What the widget's field carries in the place of a token, where there is none: words that no token can be. Everybody can write them, so
 * a verification never accepts one; they tell the customer's server why there is no token (D2, D15).
 */
export const RESERVED_RESPONSES = {
  pending: "The form was sent before the widget was done, by a way that it can't hold.",
  unavailable: "The page could not reach the service, and the site lets the form go without a token.",
} as const;

/** One of the words. */
export type ReservedResponse = keyof typeof RESERVED_RESPONSES;

/** Whether a text that stands for a token is one of the words. */
export function isReservedResponse(text: string): text is ReservedResponse {
  return Object.hasOwn(RESERVED_RESPONSES, text);
}
