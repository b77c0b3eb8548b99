const nested = (levels: number): unknown => (levels === 0 ? "x" : { a: nested(levels - 1) });

/**
 * Values that a form's field can have instead of a token, and that a JSON writer makes longer than
 * the body limit accepts (D11, errors): texts full of escapes, and the results of PHP and others
 * for a field named `stile-response[a][b]`.
 */
export const UNWIELDY_TOKENS: readonly (readonly [what: string, token: unknown])[] = [
  ["3,000 quotation marks", '"'.repeat(3000)],
  ["3,000 ends of lines", "\n".repeat(3000)],
  ["half surrogates", "\ud800".repeat(2100)],
  ["nine levels", nested(9)],
  ["a name of another service's fields, nine levels deep", [[[[[[[[{ response: "x" }]]]]]]]]],
  ["a list of 1,100", Array(1100).fill("")],
  ["a prototype", JSON.parse('{ "__proto__": "x" }')],
  ["a constructor", { constructor: "x" }],
];
