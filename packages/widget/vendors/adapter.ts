// What the scripts for pages of other vendors share. Their globals exist at once; the widget is the
// one of stile.js, which they load.
import type { StileCaptcha } from "../element/stile-captcha.ts";
import type { RenderParameters, Stile } from "../stile.ts";

/** Parameters of a vendor's `render`, by their names in `data-` attributes. */
export type Params = Readonly<Record<string, unknown>>;

/** Selects a widget: its id, its container, or a selector of one; by default the page's first. */
export type WidgetReference = Element | string | number | null | undefined;

/** How a vendor names things. */
export type Vendor = {
  readonly className: string;
  /** The fields of the form, next to ours, and their tag, by which pages look for them. */
  readonly fields: (params: Params) => readonly string[];
  readonly tag: "input" | "textarea";
  /** The vendor's parameters by the names of ours. */
  readonly toId: (n: number) => number | string;
  readonly adapt: (params: Params) => Params;
};

/** A widget of the page; the element is there once stile.js has been loaded. */
export type Rendered = {
  /** A number from 0 on for reCAPTCHA, as its libraries know; a text for others, whose take 0 for none. */
  readonly id: number | string;
  readonly place: Element;
  readonly params: Params;
  readonly parts: readonly HTMLElement[];
  element?: StileCaptcha;
  /** How many tokens the page was given. */
  tokens: number;
};

/** Scripts of other vendors, which would replace these functions. */
const FOREIGN =
  /google\.com\/recaptcha|recaptcha\.net|hcaptcha\.com|challenges\.cloudflare|@friendlycaptcha/;

const AGAIN_MS = 50;
const MOST_TIMES = 400;

/** The page's own function, given itself or by the name of a global; nothing is evaluated. */
function functionOf(given: unknown): ((argument?: unknown) => unknown) | undefined {
  const found =
    typeof given === "string"
      ? given
          .split(".")
          .reduce<unknown>(
            (from, name) =>
              Object.hasOwn(Object(from), name) ? (from as Params)[name] : undefined,
            globalThis,
          )
      : given;
  return typeof found === "function" ? (found as () => unknown) : undefined;
}

const elementOf = (which: WidgetReference): Element | null => {
  if (typeof which !== "string") return which as Element | null;
  try {
    return document.getElementById(which) ?? document.querySelector(which);
  } catch {
    // It is neither an id nor a selector.
    return null;
  }
};

/** The functions that a vendor's global is made of. */
export function createAdapter(vendor: Vendor) {
  const { className, fields, tag, toId, adapt } = vendor;
  const script = document.currentScript as HTMLScriptElement;
  // A <base> may have been added to the page after the script was fetched.
  const isPlain =
    /^https?:/i.test(script.getAttribute("src") ?? "") || !document.querySelector("base");
  const { origin: base, searchParams: query } = new URL(isPlain ? script.src : "about:blank");
  const all: Rendered[] = [];
  let count = 0;

  const loaded = new Promise<Stile>((resolve, reject) => {
    const loader = document.createElement("script");
    loader.src = `${base}/stile.js`;
    loader.nonce = script.nonce;
    loader.onload = () => resolve((globalThis as unknown as { stile: Stile }).stile);
    loader.onerror = () => {
      for (const { params } of all) functionOf(params["error-callback"])?.("network");
      reject(new Error("stile: network"));
    };
    document.head.append(loader);
  });
  const nothing = (): void => {};
  loaded.catch(nothing);

  const find = (which?: WidgetReference): Rendered | undefined =>
    all.find(({ id }) => `${which ?? id}` === `${id}`) ??
    all.find(({ place }) => elementOf(which)?.contains?.(place));

  const execute = async (widget: Rendered): Promise<string> => {
    const stile = await loaded;
    const { tokens, params, place, element } = widget;
    const token = await stile.execute(element);
    // A token from before was given before, and the page waits for its function.
    if (widget.tokens === tokens)
      functionOf(params.callback ?? (place as HTMLElement).dataset.callback)?.(token);
    return token;
  };

  const createFields = (names: readonly string[], at: number): HTMLElement[] =>
    names.map((name) =>
      Object.assign(document.createElement(tag), {
        name,
        id: at ? `${name}-${at}` : name,
        hidden: true,
      }),
    );

  /** A place for the widget of a button, which it is next to. */
  const nextTo = (button: Element): Element => {
    const place = document.createElement("span");
    Object.assign(place.dataset, (button as HTMLElement).dataset);
    button.before(place);
    return place;
  };

  const render = (container: WidgetReference, params: Params = {}): number | string => {
    const place = elementOf(container);
    if (!place) throw new Error(`stile: no ${container}`);
    const there = all.find((one) => one.place === place && one.element?.isConnected !== false);
    if (there) return there.id;
    const isButton = /^(BUTTON|INPUT)$/.test(place.tagName);
    const host = isButton ? nextTo(place) : place;
    const both: Params = { ...(host as HTMLElement).dataset, ...params };
    const size = isButton ? "invisible" : both.size;
    const parts = createFields(fields(both), count);
    const widget: Rendered = { id: toId(count++), place, params, parts, tokens: 0 };
    all.push(widget);
    host.append(...parts);
    if (isButton)
      place.addEventListener("click", (event) => {
        event.preventDefault();
        execute(widget).catch(nothing);
      });
    const given = {
      ...(size === "invisible" && { execution: "execute" }),
      language: query.get("hl"),
      ...params,
      ...adapt(both),
      size,
    } as RenderParameters;
    loaded.then((stile) => {
      if (!all.includes(widget)) return;
      const element = stile.render(host, given);
      widget.element = element;
      element.addEventListener("stile:statechange", () => {
        if (element.state === "verified") widget.tokens++;
        for (const part of parts) (part as HTMLInputElement).value = element.value;
      });
    }, nothing);
    return widget.id;
  };

  const renderAll = (): void => {
    for (const place of document.getElementsByClassName(className)) render(place);
  };

  /** Calls the page's function once it is defined. */
  const callLater = (name: string | null, times = 0): void => {
    const then = functionOf(name);
    if (then) then();
    else if (name && times < MOST_TIMES) setTimeout(callLater, AGAIN_MS, name, times + 1);
  };

  /** Does what the query of one of the page's script tags asks for. */
  const begin = (asked: URLSearchParams): void => {
    const onParsed = (): void => {
      if ((asked.get("render") ?? "onload") === "onload") renderAll();
      callLater(asked.get("onload"));
    };
    if (document.readyState === "loading") addEventListener("DOMContentLoaded", onParsed);
    else setTimeout(onParsed);
  };

  /** Sets the vendor's global. A second tag of the same script uses the first one's functions. */
  const install = (name: string, api: object): void => {
    const before = (globalThis as unknown as Params)[name] as
      | (Params & { readonly ___stile?: typeof begin })
      | undefined;
    if (before?.___stile) {
      before.___stile(query);
      return;
    }
    const warn = (): void =>
      console.error(`stile: second_vendor. Two scripts set ${name}: ${base}/docs#second_vendor`);
    Object.assign(api, { ___stile: begin });
    const property = {
      configurable: true,
      get: () => api,
      set: (other: unknown): void => {
        if (other && other !== api) warn();
      },
    };
    // It can't be one if the page has declared a variable of that name.
    if (!Reflect.defineProperty(globalThis, name, property))
      Object.assign(globalThis, { [name]: api });
    addEventListener("load", () => {
      if ([...document.scripts].some((one) => one !== script && FOREIGN.test(one.src))) warn();
    });
    if (before?.render ?? before?.attach) warn();
    begin(query);
  };

  return {
    query,
    all,
    find,
    renderAll,
    execute,
    install,
    loaded,
    /** The functions that vendors name alike. */
    shared: {
      ready: (then?: unknown): void => void setTimeout(() => functionOf(then)?.()),
      render,
      reset: (which?: WidgetReference): void => find(which)?.element?.reset(),
      remove: (which?: WidgetReference): void => {
        const widget = find(which);
        if (!widget) return;
        all.splice(all.indexOf(widget), 1);
        for (const part of [widget.element, ...widget.parts]) part?.remove();
      },
      getResponse: (which?: WidgetReference): string => find(which)?.element?.value ?? "",
      isExpired: (which?: WidgetReference): boolean => find(which)?.element?.state === "expired",
    },
  };
}
