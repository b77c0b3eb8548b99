import type { Browser, BrowserContext, Page } from "playwright-core";
import { CANARY_HOST } from "./xss-payloads.ts";

/** A page of the dashboard, and every sign that somebody's text ran or loaded something there. */
export type AttackedPage = {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Canaries that sang, dialogs, requests to foreign hosts, policy reports, exceptions, navigations elsewhere. */
  readonly signs: readonly string[];
  /** Goes to another page of the dashboard without loading it anew, as its own links do. */
  readonly go: (path: string) => Promise<void>;
};

/** A session cookie for the service's host, as the service itself would have set it. */
export async function giveCookie(context: BrowserContext, baseUrl: string, cookie: string): Promise<void> {
  const [name = "", value = ""] = cookie.split("=");
  const { hostname } = new URL(baseUrl);
  const scope = { domain: hostname, path: "/", secure: true, httpOnly: true, sameSite: "Lax" } as const;
  await context.addCookies([{ name, value, ...scope }]);
}

function watch(page: Page, baseUrl: string, signs: string[]): void {
  page.on("console", (message) => {
    const text = message.text();
    // What the service refuses, the browser notes by itself.
    const isRefusal = text.startsWith("Failed to load resource: the server responded with a status of 4");
    if (message.type() === "error" && !isRefusal) signs.push(text);
  });
  page.on("pageerror", (error) => signs.push(`exception: ${error.message}`));
  page.on("dialog", (dialog) => {
    signs.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on("popup", () => signs.push("popup"));
  page.on("request", (request) => {
    const url = request.url();
    if (url.startsWith(`${baseUrl}/`) || url.startsWith("chrome-error:")) return;
    signs.push(`request: ${url.slice(0, 80)}`);
  });
  page.on("framenavigated", (frame) => {
    if (!frame.url().startsWith(baseUrl) && frame.url() !== "about:blank") signs.push(`navigation: ${frame.url()}`);
  });
}

/** The canary, and a loud page where a policy had to step in: the dashboard must not even try. */
function sing(): void {
  Object.assign(globalThis, { pwn: () => console.error("pwn") });
  document.addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI, sample }) => {
    console.error("policy", effectiveDirective, blockedURI, sample);
  });
}

/** Opens a path of the service in a browser profile of its own. */
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
    go: async (next) => {
      // What the last page said must not be taken for this one's: its heading has to be gone.
      const heading = await page.waitForSelector("main h1");
      await page.evaluate((to) => {
        history.pushState(null, "", to);
        dispatchEvent(new PopStateEvent("popstate"));
      }, next);
      await heading.waitForElementState("hidden");
      await page.waitForSelector("main h1");
    },
  };
}

/**
 * Those of the texts that the page never shows, character by character: in what it says (not the bar above it), what its
 * fields hold, and what its labels and titles tell.
 */
function findUnseen(texts: readonly string[]): string[] {
  const main = document.querySelector("main") ?? document.body;
  const fields = [...main.querySelectorAll<HTMLInputElement>("input, textarea, select")].map(({ value }) => value);
  const said = [...main.querySelectorAll("[title], [aria-label]")].map(
    (element) => `${element.getAttribute("title")}\n${element.getAttribute("aria-label")}`,
  );
  const all = [document.title, main.textContent, ...fields, ...said].join("\n");
  return texts.filter((text) => !all.includes(text));
}

/** Waits until the page shows every one of the texts; answers those that never came. */
export async function findMissing(page: Page, texts: readonly string[]): Promise<readonly string[]> {
  const deadline = performance.now() + 5000;
  for (;;) {
    const missing = await page.evaluate(findUnseen, [...texts]);
    if (missing.length === 0 || performance.now() > deadline) return missing;
    // A frame later: the page draws when its data have come.
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
  }
}

/** Elements and attributes that the dashboard never makes: markup that came out of a text. */
export function findForeignMarkup(page: Page): Promise<string[]> {
  return page.evaluate((host) => {
    const found: string[] = [];
    for (const element of document.body.querySelectorAll("*")) {
      const { localName } = element;
      if (
        /^(script|iframe|img|image|object|embed|math|base|meta|link|style|foreignobject|animate|set|video)$/i.test(
          localName,
        )
      ) {
        found.push(localName);
      }
      for (const { name, value } of element.attributes) {
        const isAddress = ["href", "src", "action", "formaction", "xlink:href", "ping", "srcdoc"].includes(name);
        const isForeign = isAddress && (value.includes(host) || /^(javascript|data|vbscript):/i.test(value.trim()));
        if (name.startsWith("on") || isForeign) found.push(`${localName} ${name}=${value.slice(0, 60)}`);
      }
    }
    return found;
  }, CANARY_HOST);
}
