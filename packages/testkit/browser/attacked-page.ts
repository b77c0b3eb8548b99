import type { Browser, BrowserContext, Page } from "playwright-core";
import { goWithin } from "./on-page.ts";

/** A page of the dashboard, and every sign that a stranger's text ran or loaded something there. */
export type AttackedPage = {
  readonly page: Page;
  readonly context: BrowserContext;
  /**
   * Calls of the canary, dialogs, requests to foreign hosts, policy reports, exceptions,
   * navigations elsewhere.
   */
  readonly signs: readonly string[];
  /** Goes to another page of the dashboard without a page load, as its own links do. */
  readonly go: (path: string) => Promise<void>;
};

/** A session cookie for the service's host, as the service itself would have set it. */
export async function giveCookie(
  context: BrowserContext,
  baseUrl: string,
  cookie: string,
): Promise<void> {
  const [name = "", value = ""] = cookie.split("=");
  const { hostname } = new URL(baseUrl);
  const scope = {
    domain: hostname,
    path: "/",
    secure: true,
    httpOnly: true,
    sameSite: "Lax",
  } as const;
  await context.addCookies([{ name, value, ...scope }]);
}

function watch(page: Page, baseUrl: string, signs: string[]): void {
  page.on("console", (message) => {
    const text = message.text();
    // The browser itself logs what the service refuses.
    const isRefusal = text.startsWith(
      "Failed to load resource: the server responded with a status of 4",
    );
    if (message.type() === "error" && !isRefusal) signs.push(text);
  });
  page.on("pageerror", (error) => signs.push(`exception: ${error.message}`));
  page.on("dialog", (dialog) => {
    signs.push(`dialog: ${dialog.message()}`);
    // The dialog may be gone with its page by now.
    dialog.dismiss().catch(() => {});
  });
  page.on("popup", () => signs.push("popup"));
  page.on("request", (request) => {
    const url = request.url();
    if (url.startsWith(`${baseUrl}/`) || url.startsWith("chrome-error:")) return;
    signs.push(`request: ${url.slice(0, 80)}`);
  });
  page.on("framenavigated", (frame) => {
    if (!frame.url().startsWith(baseUrl) && frame.url() !== "about:blank")
      signs.push(`navigation: ${frame.url()}`);
  });
}

/** Sets up the canary, and reports every policy violation: the dashboard must not even try. */
function sing(): void {
  Object.assign(globalThis, { pwn: () => console.error("pwn") });
  document.addEventListener(
    "securitypolicyviolation",
    ({ effectiveDirective, blockedURI, sample }) => {
      console.error("policy", effectiveDirective, blockedURI, sample);
    },
  );
}

/** Opens a path of the service in a new browser profile. */
export async function openAttacked(
  browser: Browser,
  baseUrl: string,
  { path, cookie }: { readonly path: string; readonly cookie?: string },
): Promise<AttackedPage> {
  const context = await browser.newContext();
  if (cookie !== undefined) await giveCookie(context, baseUrl, cookie);
  const page = await context.newPage();
  const signs: string[] = [];
  watch(page, baseUrl, signs);
  await page.addInitScript(sing);
  await page.goto(baseUrl + path);
  return {
    page,
    context,
    signs,
    go: (next) => goWithin(page, next),
  };
}

/**
 * How a page treated the texts: those it never showed, and elements and attributes that only a text
 * can have made.
 */
export type Inspection = {
  readonly missing: readonly string[];
  readonly markup: readonly string[];
};

/** Waits until the page shows every one of the texts, at most 5 s, and inspects the result. */
export function inspect(page: Page, texts: readonly string[]): Promise<Inspection> {
  return page.evaluate(inspectWithin, [...texts]);
}

/**
 * Runs in the page: reads its text (without the bar above), the content of its fields, and its
 * labels and titles.
 */
async function inspectWithin(texts: readonly string[]): Promise<Inspection> {
  const main = document.querySelector("main") ?? document.body;
  const readAll = (): string => {
    const fields = [...main.querySelectorAll<HTMLInputElement>("input, textarea, select")].map(
      ({ value }) => value,
    );
    const said = [...main.querySelectorAll("[title], [aria-label]")].flatMap((element) => [
      element.getAttribute("title"),
      element.getAttribute("aria-label"),
    ]);
    return [document.title, main.textContent, ...fields, ...said].join("\n");
  };
  const findMissing = (): string[] => {
    const all = readAll();
    return texts.filter((text) => !all.includes(text));
  };
  const deadline = performance.now() + 5000;
  let missing = findMissing();
  while (missing.length > 0 && performance.now() < deadline) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
    missing = findMissing();
  }
  const NEVER_MADE =
    "script,iframe,img,image,object,embed,math,base,meta,link,style,foreignObject,animate,set,video,audio";
  const isOwn = (address: string): boolean =>
    URL.canParse(address, location.href) &&
    new URL(address, location.href).origin === location.origin;
  const markup = [...document.body.querySelectorAll(NEVER_MADE)].map(({ localName }) => localName);
  for (const element of document.body.querySelectorAll("*")) {
    for (const { name, value } of element.attributes) {
      const isAddress = [
        "href",
        "src",
        "action",
        "formaction",
        "xlink:href",
        "ping",
        "srcdoc",
      ].includes(name);
      if (name.startsWith("on") || (isAddress && !isOwn(value)))
        markup.push(`${element.localName} ${name}`);
    }
  }
  return { missing, markup };
}
