import type { ReservedResponse } from "@stile/protocol/reserved-responses";

/** What stands in the field in the place of a token (D2). Pending: not every way of sending a form can be held. */
export const [PENDING, UNAVAILABLE] = ["pending", "unavailable"] as const satisfies ReservedResponse[];

const DEFAULT_FIELD_NAME = "stile-response";

/** Lets a form carry that value for the element, under the name that its page chose. */
export function carry(element: Element, internals: ElementInternals, value: string): void {
  const fields = new FormData();
  fields.set(element.getAttribute("response-field-name") || DEFAULT_FIELD_NAME, value);
  internals.setFormValue(fields);
}
