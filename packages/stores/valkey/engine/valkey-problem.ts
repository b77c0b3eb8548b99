/** The hot store can't be used as it is set up; the message tells the operator what to do, and has no password. */
export class ValkeyProblem extends Error {
  override readonly name = "ValkeyProblem";
}
