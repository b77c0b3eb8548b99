import type { ReservedResponse } from "@stile/protocol/reserved-responses";
import { readAttribute } from "./read-attribute.ts";

/** What stands in the field in the place of a token (D2): not every way of sending a form can be held. */
export const PENDING: ReservedResponse = "pending";
/** The same while the form may go without a token. */
export const UNAVAILABLE: ReservedResponse = "unavailable";

const DEFAULT_FIELD_NAME = "stile-response";

/** The name of the form's field, as its page chose. */
export const fieldNameOf = (element: Element): string =>
  readAttribute(element, "response-field-name") || DEFAULT_FIELD_NAME;
