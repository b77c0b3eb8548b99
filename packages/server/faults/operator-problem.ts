/**
 * A fault that the operator can fix; its message says what is wrong and what to do. An optional
 * part throws it, or a class of its own that extends it.
 */
export class OperatorProblem extends Error {
  override readonly name: string = "OperatorProblem";
}
