/** HTML in which all inserted texts are escaped. */
export type Markup = { readonly markup: string };

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escapeText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? "");
}

/**
 * Writes HTML: inserted texts are escaped (for content and for quoted attributes), inserted markup
 * is not.
 */
export function html(
  parts: TemplateStringsArray,
  ...inserted: readonly (string | Markup)[]
): Markup {
  const texts = inserted.map((value) =>
    typeof value === "string" ? escapeText(value) : value.markup,
  );
  return { markup: String.raw({ raw: parts }, ...texts) };
}
