// The script a page loads: defines <stile-captcha> and window.stile, and starts to observe.
import { type CollectOptions, collect } from "./collect.ts";
import { watchPolicy } from "./element/page-surroundings.ts";
import { baseOf, StileCaptcha } from "./element/stile-captcha.ts";
import { recordBehaviour } from "./signals/behaviour-recorder.ts";

const VERSION = "0.1.0";

const script = document.currentScript;
const base = baseOf(script instanceof HTMLScriptElement ? new URL(".", script.src).href : "/") ?? location.origin;

// A second copy of the script on one page adds nothing.
if (customElements.get("stile-captcha") === undefined) {
  const page = { base, recorder: recordBehaviour() };
  watchPolicy();
  customElements.define(
    "stile-captcha",
    class extends StileCaptcha {
      constructor() {
        super(page);
      }

      // Drivers measure what they are about to press.
      override getClientRects(): DOMRectList {
        page.recorder.noteCaller();
        return super.getClientRects();
      }

      override getBoundingClientRect(): DOMRect {
        page.recorder.noteCaller();
        return super.getBoundingClientRect();
      }
    },
  );
  Object.assign(globalThis, {
    stile: Object.freeze({ version: VERSION, collect: (options?: CollectOptions) => collect(page, options) }),
  });
}
