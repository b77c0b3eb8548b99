import { SITE_MODES, type SiteMode, THEMES } from "@stile/protocol/site-settings";

/** A value of a choice; an empty one leaves the attribute out. */
export type Option = { readonly value: string; readonly label: string };

/**
 * An attribute of `<stile-captcha>` that the user can choose. The page's query uses the same name.
 */
export type Choice = {
  readonly name: string;
  readonly label: string;
  /** The values to choose from; undefined if any text is allowed. */
  readonly options?: readonly Option[];
  readonly hint?: string;
};

/** The failures that the playground can show, and their causes. */
export const FAILURES = {
  none: { label: "Nothing", cause: "The widget and the service work as they do anywhere else." },
  away: {
    label: "Service unreachable",
    cause:
      "The widget's requests go nowhere. It tries again, then submits the form without a token.",
  },
  wrong_key: { label: "Wrong site key", cause: "The widget has a site key that does not exist." },
  wrong_host: {
    label: "Host not allowed",
    cause:
      "The service is told that this page is on not-listed.example, which is not among the site's domains.",
  },
  rate_limited: {
    label: "Rate limited",
    cause: "The service refuses every challenge, as it does for a network that is over its limit.",
  },
  blocked: {
    label: "Visitor blocked",
    cause:
      "The challenge and the work are real, but the service answers as if the visitor's score were too high.",
  },
  slow: { label: "Slow network", cause: "Each answer takes two seconds longer." },
  expired: {
    label: "Token expired",
    cause:
      "The token is valid for 5 seconds. Submit the form, and this page waits until it expires.",
  },
  used_twice: {
    label: "Token used twice",
    cause: "Submit the form, and its server redeems the token twice.",
  },
} as const;
/** The name of a failure in the playground. */
export type Failure = keyof typeof FAILURES;

/** A site key of the right form that no site has. */
export const WRONG_SITE_KEY = "pk_0000000000000000000000";

const NATIVE = (tag: string): string =>
  new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;

const same = (values: readonly string[]): Option[] =>
  values.map((value) => ({ value, label: value }));

/**
 * Attributes that the page offers; all others go through "More attributes". To add one, add a row
 * here.
 */
export function attributeChoices(languages: readonly string[]): readonly Choice[] {
  return [
    {
      name: "theme",
      label: "Theme",
      options: [{ value: "", label: "The site's" }, ...same(THEMES)],
    },
    {
      name: "size",
      label: "Size",
      options: [{ value: "", label: "normal" }, ...same(["flexible", "compact", "invisible"])],
    },
    {
      name: "language",
      label: "Language",
      options: [
        { value: "", label: "The browser's" },
        ...["en", ...languages].map((tag) => ({ value: tag, label: `${tag}: ${NATIVE(tag)}` })),
      ],
    },
    {
      name: "execution",
      label: "Starts",
      options: [
        { value: "", label: "when the form is touched" },
        { value: "render", label: "immediately (render)" },
        { value: "execute", label: "on a click or submit (execute)" },
      ],
    },
    {
      name: "appearance",
      label: "Visible",
      options: [
        { value: "", label: "always" },
        { value: "execute", label: "once the work begins (execute)" },
        { value: "interaction-only", label: "if the visitor must act (interaction-only)" },
      ],
    },
    {
      name: "on-unavailable",
      label: "During an outage",
      options: [
        { value: "", label: "the site's setting" },
        { value: "submit", label: "submit the form (submit)" },
        { value: "block", label: "hold the form (block)" },
      ],
    },
    { name: "action", label: "Action" },
    { name: "cdata", label: "Custom data (cdata)" },
  ];
}

/** The choices in a URL of the playground. */
export type Wishes = {
  /** Undefined for the site's own mode. */
  readonly mode: SiteMode | undefined;
  readonly failure: Failure;
  /** Attributes of the widget, in the order of the page. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The text of "More attributes". */
  readonly more: string;
  /** Names in "More attributes" that the page does not set. */
  readonly leftOut: readonly string[];
};

/**
 * The longest attribute, and the most further attributes. Both exceed what the widget accepts, so
 * that the user sees the widget refuse.
 */
const MAX_CHARS = 300;
const MAX_MORE = 10;
const ATTRIBUTE_NAME = /^[a-z]+(-[a-z]+)*$/;
/**
 * Attributes that no URL may choose, because an attacker can make somebody open one. They are event
 * handlers, names of the page's functions, and everything that moves, hides or relabels the widget.
 * The page's policy would stop some of these too.
 */
const NOT_BY_ADDRESS =
  /^on[a-z]|callback$|^(data-.*|aria-.*|role|style|class|id|is|slot|part|nonce|sitekey|hidden|inert|popover|strings|title)$/;

const isKey = <T extends object>(table: T, name = ""): name is keyof T & string =>
  Object.hasOwn(table, name);

/** Reads the values of a query, and ignores anything it does not understand. */
export function readWishes(
  query: Readonly<Record<string, string>>,
  choices: readonly Choice[],
): Wishes {
  const attributes = new Map<string, string>();
  for (const { name, options } of choices) {
    const value = query[name]?.slice(0, MAX_CHARS) ?? "";
    if (
      value !== "" &&
      (options === undefined || options.some((option) => option.value === value))
    ) {
      attributes.set(name, value);
    }
  }
  const more = (query.more ?? "").slice(0, MAX_CHARS).trim();
  const leftOut: string[] = [];
  for (const text of more.split(/\s+/, MAX_MORE).filter((part) => part !== "")) {
    const [name = "", ...rest] = text.split("=");
    if (!ATTRIBUTE_NAME.test(name) || NOT_BY_ADDRESS.test(name)) leftOut.push(name);
    else attributes.set(name, rest.join("=").replace(/^"(.*)"$/, "$1"));
  }
  const { mode, failure } = query;
  return {
    mode: isKey(SITE_MODES, mode) ? mode : undefined,
    failure: isKey(FAILURES, failure) ? failure : "none",
    attributes,
    more,
    leftOut,
  };
}
