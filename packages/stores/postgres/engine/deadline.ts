/** Nothing came back within the deadline. */
export class Silence extends Error {
  override readonly name = "Silence";
}

/**
 * A deadline is counted in this many parts: a process that was suspended for long has used up only
 * one of them.
 */
const STEPS = 10;

/**
 * Resolves as `answer` does, or rejects with Silence if that takes longer than `ms`. Only time in
 * which this process could have read the answer counts: a machine that was suspended, or short of
 * CPU time, still finds an answer that came meanwhile, instead of reporting silence.
 */
export async function withinDeadline<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    let left = STEPS;
    const count = (): void => {
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      // What has reached the socket is read between a timer and this.
      setImmediate(() => reject(new Silence(`no answer within ${ms} ms`)));
    };
    timer = setInterval(count, ms / STEPS);
  });
  try {
    return await Promise.race([answer, silence]);
  } finally {
    clearInterval(timer);
  }
}
