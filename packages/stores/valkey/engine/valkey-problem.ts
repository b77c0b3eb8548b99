/** The hot store can't be used as it is set up; the message says to the operator what to do, in one sentence, without a password. */
export class ValkeyProblem extends Error {
  override readonly name = "ValkeyProblem";
}
