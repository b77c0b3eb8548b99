/** Nothing came back within the deadline. */
export class Silence extends Error {
  override readonly name = "Silence";
}

/** The parts of a deadline. A process that was suspended for long has used up only one of them. */
const STEPS = 10;

/**
 * Resolves like `answer`, or rejects with Silence if that takes longer than `ms`. Time counts only
 * while this process could read the answer. So a machine that was suspended or short of CPU finds
 * an answer that came meanwhile, instead of reporting silence.
 */
export async function withinDeadline<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    let left = STEPS;
    const count = (): void => {
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      // Between a timer and this callback, Node reads what has reached the socket.
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
