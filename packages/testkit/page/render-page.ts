import "./load-tsx.ts";
import { type ComponentChildren, h } from "preact";
import { LocationProvider } from "preact-iso";
import { renderToString } from "preact-render-to-string";
import { standAt } from "./stand-at.ts";

const ORIGIN = "http://localhost";
standAt(ORIGIN);

/**
 * Renders a component in its initial state, at an address of the dashboard: no effect has run,
 * nothing was fetched.
 */
export function renderPage(page: ComponentChildren, address = "/dashboard/sites"): string {
  standAt(ORIGIN + address);
  return renderToString(h(LocationProvider, { children: page }));
}

/** One element of rendered markup. */
export type Drawn = {
  readonly attributes: Readonly<Record<string, string>>;
  /** Its text, as people read it. */
  readonly text: string;
  readonly inner: string;
};

const ENTITIES: Readonly<Record<string, string>> = {
  lt: "<",
  gt: ">",
  quot: '"',
  amp: "&",
  "#39": "'",
};

function unescaped(text: string): string {
  return text.replace(/&(lt|gt|quot|amp|#39);/g, (_, name: string) => ENTITIES[name] ?? "");
}

/**
 * The text that people read in markup: without pictures, with white space collapsed, and no-break
 * spaces as plain ones.
 */
export function textOf(markup: string): string {
  const read = markup
    .replace(/<svg.*?<\/svg>|<wbr\/?>/gs, "")
    .replace(/<\/?[a-z](?:[^>"]|"[^"]*")*>/gi, " ");
  return unescaped(read).replace(/\s+/g, " ").trim();
}

/**
 * Every element with that name, in page order; only for elements that are never nested in each
 * other.
 */
export function drawn(markup: string, tag: string): readonly Drawn[] {
  const head = `<${tag}((?:\\s(?:[^>"]|"[^"]*")*)?)>`;
  const pattern = new RegExp(tag === "input" ? head : `${head}(.*?)</${tag}>`, "gs");
  return [...markup.matchAll(pattern)].map(([, written = "", inner = ""]) => ({
    attributes: Object.fromEntries(
      [...written.matchAll(/([\w:-]+)(?:="([^"]*)")?/g)].map(([, name = "", value = ""]) => [
        name,
        unescaped(value),
      ]),
    ),
    text: textOf(inner),
    inner,
  }));
}

/** The name of each button and link for screen readers: its label, else its text. */
export function actionsOf(markup: string): readonly string[] {
  return [...drawn(markup, "button"), ...drawn(markup, "a")].map(
    ({ attributes, text }) => attributes["aria-label"] ?? text,
  );
}

/** Fields by the label that refers to them or surrounds them; without a label the name is "". */
export function fieldsOf(markup: string): ReadonlyMap<string, Drawn> {
  const labels = drawn(markup, "label");
  const fields = ["input", "select", "textarea"].flatMap((tag) => drawn(markup, tag));
  const around = (field: Drawn) =>
    labels.find(({ inner }) => drawn(inner, "input").some((one) => isSame(one, field)))?.text;
  const shown = fields.filter(
    ({ attributes }) => attributes.type !== "hidden" && attributes.hidden === undefined,
  );
  return new Map(
    shown.map((field) => {
      const { id, "aria-label": label } = field.attributes;
      const tied = labels.find(({ attributes }) => id !== undefined && attributes.for === id)?.text;
      return [label ?? tied ?? around(field) ?? "", field];
    }),
  );
}

function isSame(one: Drawn, other: Drawn): boolean {
  return JSON.stringify(one.attributes) === JSON.stringify(other.attributes);
}

/** The description of an element for screen readers: the texts of the ids that it refers to. */
export function descriptionOf(markup: string, { attributes }: Drawn): string {
  const ids = attributes["aria-describedby"]?.split(" ") ?? [];
  const texts = ids.map(
    (id) => new RegExp(`id="${id}"[^>]*>(.*?)</(?:div|p)>`, "s").exec(markup)?.[1],
  );
  return texts.map((text) => (text === undefined ? `no element ${ids}` : textOf(text))).join(" ");
}
