import type { ReservedResponse } from "@stile/protocol/reserved-responses";
import { readAttribute } from "./read-attribute.ts";

/**
 * The field's value while there is no token (D2, redemption), since some ways of sending a form
 * can't be held back.
 */
export const PENDING: ReservedResponse = "pending";
/** The field's value while the form may be sent without a token. */
export const UNAVAILABLE: ReservedResponse = "unavailable";

const DEFAULT_FIELD_NAME = "stile-response";

/** The name of the form's field, as the page chose it. */
export const fieldNameOf = (element: Element): string =>
  readAttribute(element, "response-field-name") || DEFAULT_FIELD_NAME;
