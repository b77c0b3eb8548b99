/** The form of a page with the widget. */
export type FoundForm = {
  /** Relative to the page; empty: the page's own address. */
  readonly action: string;
  readonly siteKey: string;
  /** The name of the field with the token. */
  readonly tokenField: string;
  readonly actionName: string | undefined;
  readonly cdata: string | undefined;
  /** The other fields with their values; a visitor would write into the empty ones. */
  readonly fields: readonly FormField[];
};

/** A field; `type` is that of the input. */
export type FormField = { readonly name: string; readonly type: string; readonly value: string };

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  "#x27": "'",
};
const decode = (text: string): string =>
  text.replace(/&(\w+|#\w+);/g, (all, name: string) => ENTITIES[name.toLowerCase()] ?? all);

type Tag = { readonly name: string; readonly attributes: ReadonlyMap<string, string> };

function* listTags(html: string): Generator<Tag> {
  const text = html.replace(/<!--[\s\S]*?-->|<(script|style|template)\b[\s\S]*?<\/\1\s*>/gi, "");
  for (const [, name = "", rest = ""] of text.matchAll(
    /<(\/?[a-z][\w-]*)((?:"[^"]*"|'[^']*'|[^'">])*)>/gi,
  )) {
    const attributes = new Map<string, string>();
    for (const [, key = "", a, b, c] of rest.matchAll(
      /([^\s=/"'>]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/g,
    )) {
      attributes.set(key.toLowerCase(), decode(a ?? b ?? c ?? ""));
    }
    yield { name: name.toLowerCase(), attributes };
  }
}

/** The field of a tag, if the browser would send it without being touched or after being filled. */
function toField({ name, attributes }: Tag): FormField | undefined {
  const field = attributes.get("name");
  const type = (attributes.get("type") ?? (name === "input" ? "text" : name)).toLowerCase();
  const isButton = ["submit", "button", "image", "reset", "file"].includes(type);
  if (field === undefined || isButton || attributes.has("disabled")) return undefined;
  const isBox = type === "checkbox" || type === "radio";
  if (isBox && !attributes.has("checked") && !attributes.has("required")) return undefined;
  return { name: field, type, value: attributes.get("value") ?? (isBox ? "on" : "") };
}

/** A list sends its selected option, else the first one that is not empty. */
function chooseOption(fields: FormField[], { attributes }: Tag): void {
  const list = fields.at(-1);
  const value = attributes.get("value");
  if (list?.type !== "select" || value === undefined) return;
  if (list.value === "" || attributes.has("selected")) fields.splice(-1, 1, { ...list, value });
}

/** The first form of the page with a widget in it; undefined if there is none. */
export function findForm(html: string): FoundForm | undefined {
  let form: Tag | undefined;
  let widget: Tag | undefined;
  let fields: FormField[] = [];
  for (const tag of listTags(html)) {
    if (tag.name === "form") [form, widget, fields] = [tag, undefined, []];
    if (form === undefined) continue;
    if (tag.name === "/form") {
      if (widget !== undefined) break;
      form = undefined;
    } else if (tag.name === "stile-captcha") widget = tag;
    else if (tag.name === "option") chooseOption(fields, tag);
    else if (["input", "textarea", "select"].includes(tag.name)) {
      const field = toField(tag);
      if (field !== undefined) fields.push(field);
    }
  }
  if (form === undefined || widget === undefined) return undefined;
  const { attributes } = widget;
  const read = (name: string): string | undefined =>
    attributes.get(name) || attributes.get(`data-${name}`) || undefined;
  return {
    action: form.attributes.get("action") ?? "",
    siteKey: read("sitekey") ?? "",
    tokenField: read("response-field-name") ?? "stile-response",
    actionName: read("action"),
    cdata: read("cdata"),
    fields,
  };
}
