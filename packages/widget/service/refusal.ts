import type { WidgetErrorName } from "../machine/widget-error.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";
import { fieldsOf, textLike } from "../untrusted.ts";
import { REQUEST_ID } from "./answers.ts";

/** The longest wait that is accepted, s. */
const MAX_WAIT_SECONDS = 3600;

const ERROR_OF_CODE: ReadonlyMap<unknown, WidgetErrorName> = new Map([
  ["invalid_site_key", "sitekey_unknown"],
  ["domain_mismatch", "hostname_not_allowed"],
  ["site_disabled", "site_disabled"],
  ["rate_limited", "rate_limited"],
]);

/** A refusal: the error to show, and how long the service asks to wait, in whole seconds. */
export type ServiceRefusal = readonly [error: WidgetFault, waitSeconds: number | undefined];

/**
 * Reads the body of an answer other than 200 (D11, errors), and its `Retry-After`; `host` is the
 * page's, for the owner, who has to allow it. A wait that is not 0..3600 whole seconds counts as
 * none.
 */
export function readRefusal(
  body: unknown,
  retryAfter: string | null,
  host: string,
): ServiceRefusal {
  const error = fieldsOf(fieldsOf(body).error);
  const name = ERROR_OF_CODE.get(error.code) ?? "internal";
  const waitSeconds = /^\d{1,4}$/.test(retryAfter ?? "")
    ? Math.min(MAX_WAIT_SECONDS, Number(retryAfter))
    : undefined;
  const seconds = name === "rate_limited" ? waitSeconds?.toString() : undefined;
  const detail = name === "hostname_not_allowed" ? host : seconds;
  return [{ name, detail, requestId: textLike(REQUEST_ID, error.request_id) }, waitSeconds];
}
