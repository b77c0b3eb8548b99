/** Nothing came back within the time there was. */
export class Silence extends Error {
  override readonly name = "Silence";
}

/** Parts of a deadline: a process that stood still for long has used up one of them. */
const STEPS = 10;

/**
 * What the answer says, or Silence if it did not come within `ms`. Counted is time in which this process could have read it: a machine
 * that is suspended, or whose processor others take, finds an answer that came meanwhile, instead of calling it silence.
 */
export async function withinDeadline<Answer>(answer: Promise<Answer>, ms: number): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    let left = STEPS;
    const count = (): void => {
      left -= 1;
      if (left > 0) return;
      clearInterval(timer);
      // What lies in the socket is read between a timer and this.
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
