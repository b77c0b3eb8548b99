/** An observation that must never happen. */
export class Violation extends Error {
  override readonly name = "Violation";
  /** The rule that was broken. */
  readonly rule: string;

  constructor(rule: string, detail: string) {
    super(`${rule}: ${detail}`);
    this.rule = rule;
  }
}
