/** Places on the page that a visitor presses. */
export const TARGETS = ["email", "password", "widget", "submit"] as const;
/** One of email, password, widget, submit. */
export type Target = (typeof TARGETS)[number];

/** A box in CSS pixels of the viewport. */
export type Box = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/**
 * Where things are; `left` and `top` are the viewport's corner on the screen, and `scale` is how many
 * pixels of the screen a CSS pixel has: 1 if nobody zoomed.
 */
export type Layout = Readonly<Record<Target, Box>> & {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
  readonly viewport: { readonly width: number; readonly height: number };
};

/** The page's reports to the testbed while somebody uses it. */
export type Report =
  | { readonly layout: Layout }
  | { readonly state: string }
  | { readonly focus: string }
  | { readonly botd: boolean }
  | { readonly hasArrived: true };

const STYLE = `body { margin: 0; padding: 48px 16px; font: 16px/1.5 sans-serif; background: #f6f8f6 }
main { max-width: 640px; margin: auto }
form { display: grid; gap: 12px; padding: 24px; background: #fff; border: 1px solid #d3dcd6 }
input, button { font: inherit; padding: 8px }`;

/** A customer's page with a form, the widget, and BotD next to it for comparison. */
export function formPage(siteKey: string, action: string, serviceUrl: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Sign in</title>
<style>${STYLE}</style>
<script src="/page.js" defer></script>
<script src="${serviceUrl}/stile.js" async defer></script>
</head>
<body>
<main>
<h1>Sign in</h1>
<p>A shop like any other.</p>
<form method="post" action="/sign-in">
<label for="email">Email</label>
<input id="email" name="email" type="email" autocomplete="off">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="off">
<stile-captcha id="widget" sitekey="${siteKey}" action="${action}" size="flexible"></stile-captcha>
<button id="submit">Sign in</button>
</form>
<p>Questions? Write to us; we answer within two days.</p>
</main>
</body>
</html>`;
}

/**
 * Runs in the page: reports what an observer on the visitor's side would see, and BotD's verdict.
 */
async function watchPage(targets: readonly Target[]): Promise<void> {
  const tell = (report: unknown): Promise<unknown> =>
    fetch("/report", { method: "POST", body: JSON.stringify(report), keepalive: true });
  const measure = (): void => {
    const boxes = targets.map((id) => {
      const { x, y, width, height } =
        document.getElementById(id)?.getBoundingClientRect() ?? new DOMRect();
      return [id, { x, y, width, height }] as const;
    });
    const scale = devicePixelRatio;
    const left = screenX + (outerWidth - innerWidth * scale) / 2;
    const top = screenY + outerHeight - innerHeight * scale;
    const viewport = { width: innerWidth, height: innerHeight };
    void tell({ layout: { ...Object.fromEntries(boxes), left, top, scale, viewport } });
  };
  document.addEventListener("stile:statechange", (event) => {
    void tell({ state: (event as CustomEvent<{ state: string }>).detail.state });
  });
  document.addEventListener(
    "focusin",
    (event) => void tell({ focus: (event.target as Element).id }),
  );
  await customElements.whenDefined("stile-captcha");
  const watcher = new ResizeObserver(measure);
  watcher.observe(document.documentElement);
  watcher.observe(document.forms[0] as HTMLFormElement);
  addEventListener("resize", measure);
  const path = "/botd.js";
  const botd = (await import(path)) as { load: () => Promise<{ detect: () => { bot: boolean } }> };
  await tell({ botd: (await botd.load()).detect().bot });
}

/** The page's script. */
export const PAGE_SCRIPT = `(${watchPage.toString()})(${JSON.stringify(TARGETS)}).catch(console.error);`;

/** The page after the form. */
export const NEXT_PAGE = `<!doctype html>
<title>Thanks</title>
<p>Thanks.</p>
<script>onload = () => fetch("/report", { method: "POST", body: '{"hasArrived":true}' });</script>`;
