// The script a page loads: defines <stile-captcha> and window.stile, and starts to observe.
import { type CollectOptions, collect } from "./collect.ts";
import { watchPolicy } from "./element/page-surroundings.ts";
import { StileCaptcha } from "./element/stile-captcha.ts";
import { ownAddress, withoutSlash } from "./service/own-address.ts";
import { recordBehaviour } from "./signals/behaviour-recorder.ts";

const VERSION = "0.1.0";

// A second copy of the script on one page adds nothing.
if (customElements.get("stile-captcha") === undefined) {
  const page = { base: ownAddress(document.currentScript) ?? "", recorder: recordBehaviour() };
  const define = (): void =>
    customElements.define(
      "stile-captcha",
      class extends StileCaptcha {
        constructor() {
          super(page);
        }

        // Drivers measure what they are about to press.
        override getClientRects(): DOMRectList {
          page.recorder.recordCaller();
          return super.getClientRects();
        }

        override getBoundingClientRect(): DOMRect {
          page.recorder.recordCaller();
          return super.getBoundingClientRect();
        }
      },
    );
  watchPolicy();
  if (page.base !== "") define();
  const stile = {
    version: VERSION,
    collect: (options?: CollectOptions) => collect(page, options),
    // Once, and only where the script doesn't know its own address: what it runs is the choice of scripts, never of markup.
    configure: ({ endpoint }: { readonly endpoint: string }): void => {
      if (page.base !== "") throw new Error(`stile.configure: the service is ${page.base} already`);
      page.base = withoutSlash(new URL(endpoint).href);
      define();
    },
  };
  Object.assign(globalThis, { stile: Object.freeze(stile) });
}
