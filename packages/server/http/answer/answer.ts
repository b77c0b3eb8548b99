import { API_ERROR_CODES, type ApiErrorCode } from "@stile/protocol/api-error-codes";

/** The answer of a route, which the listener writes. */
export type Answer = {
  readonly status: number;
  /**
   * Objects are sent as JSON. Texts and bytes are sent unchanged, with a Content-Type in `headers`.
   * Undefined means no body.
   */
  readonly body: object | string | Uint8Array | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  /** The values of Set-Cookie headers, one header each. */
  readonly cookies?: readonly string[];
  /**
   * Closes the connection afterwards, because part of the request was not read. `reading`: first
   * reads that part for a while. Otherwise the answer could miss a client that reads only after it
   * has sent everything, or one behind a proxy that resets the connection (Go's servers do).
   */
  readonly mustClose?: boolean | "reading";
  /**
   * Whether to keep a refusal out of the log. A site's decisions list it, or it only says that
   * nothing is here.
   */
  readonly isUnlogged?: boolean;
};

/** Facts about a request that the request itself does not contain. */
export type RequestContext = {
  readonly requestId: string;
  /**
   * Set as soon as the body shows a call in another service's siteverify style, so that faults are
   * answered in that style too (D2, redemption).
   */
  isSiteverify?: boolean;
};

/** The `error` object of an answer that is not 200 (D11, errors). */
export function errorObject(code: ApiErrorCode, context: RequestContext, message?: string) {
  return { code, message: message ?? API_ERROR_CODES[code].meaning, request_id: context.requestId };
}

/** An answer that holds only an error (D11, errors). */
export function errorAnswer(
  code: ApiErrorCode,
  context: RequestContext,
  more: {
    message?: string;
    status?: number;
    headers?: Record<string, string>;
    mustClose?: boolean;
  } = {},
): Answer {
  return {
    status: more.status ?? API_ERROR_CODES[code].status,
    body: { success: false, data: {}, error: errorObject(code, context, more.message) },
    ...(more.headers && { headers: more.headers }),
    ...(more.mustClose && { mustClose: true }),
  };
}

/** The answer for an unknown address. */
export function notFound(context: RequestContext): Answer {
  const message =
    "This address does not exist. GET /api/v1/openapi.json lists what the service offers.";
  return { ...errorAnswer("not_found", context, { message }), isUnlogged: true };
}
