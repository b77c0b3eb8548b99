import { StoreUnavailable } from "@stile/core/ports/store-unavailable";

/**
 * Resolves as `work` does, or rejects with StoreUnavailable and that reason after that many
 * milliseconds.
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
