/**
 * The store did not answer in time or can't be written to. The caller answers 503, which may be
 * retried (D15, outage).
 */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}
