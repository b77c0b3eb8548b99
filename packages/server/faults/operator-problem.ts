/**
 * A fault whose message says what is wrong and what the operator can do. An optional part throws
 * it, or a class of its own that extends it.
 */
export class OperatorProblem extends Error {
  override readonly name: string = "OperatorProblem";
}
