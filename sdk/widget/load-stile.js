/** How long the script may take to arrive, ms. */
const PATIENCE_MS = 30_000;
const NAME = "stile-captcha";

/** The script that this page has asked for: its address, and when it is there. */
let asked;

/** The address of the script of that service. Throws an error that says what is wrong. */
function scriptOf(baseUrl) {
  const base = /^https?:\/\/[^/?#\s]+[^?#\s]*$/.exec(baseUrl)?.[0];
  if (base) return new URL(`${base.replace(/\/+$/, "")}/stile.js`).href;
  throw new TypeError(
    `baseUrl must be the address of your Stile service, such as https://captcha.example. It is ${JSON.stringify(baseUrl)}.`,
  );
}

/** Resolves once the widget is defined. The page itself may already have the script. */
async function load(src) {
  if (customElements.get(NAME)) return;
  const tags = [...document.querySelectorAll("script")];
  const script =
    tags.find((tag) => tag.src.split(/[?#]/)[0] === src) ?? document.createElement("script");
  let timer;
  try {
    await new Promise((resolve, reject) => {
      customElements.whenDefined(NAME).then(resolve);
      script.addEventListener("error", reject);
      timer = setTimeout(reject, PATIENCE_MS);
      if (script.isConnected) return;
      script.async = true;
      script.src = src;
      document.head.append(script);
    });
  } catch {
    // The next call tries again.
    asked = undefined;
    script.remove();
    throw new Error(
      `${src} did not load. Is baseUrl the address of your Stile service, does it answer, and does this page's Content-Security-Policy allow it?`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Adds the service's script to the page, once, and resolves to `window.stile`. */
export async function loadStile(baseUrl) {
  const src = scriptOf(baseUrl);
  if (typeof document === "undefined")
    throw new Error("loadStile needs a browser: call it in an effect, not while rendering.");
  if (asked && asked.src !== src)
    throw new Error(`This page has ${asked.src} already, and can't have ${src} as well.`);
  asked ??= { src, loaded: load(src) };
  await asked.loaded;
  return window.stile;
}
