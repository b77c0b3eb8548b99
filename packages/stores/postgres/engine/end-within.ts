import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

/**
 * Resolves like `work`, or rejects with StoreUnavailable and that reason after `ms` milliseconds.
 */
export async function endWithin<Answer>(
  ms: number,
  work: Promise<Answer>,
  reason: string,
): Promise<Answer> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new StoreUnavailable(reason)), ms);
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
