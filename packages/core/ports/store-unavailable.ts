/** The store did not answer in time or can't be written to; the caller answers 503 and may be asked again (D15). */
export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";
}
