// The script a page loads: defines <stile-captcha> and window.stile, and starts to observe.
import { StileCaptcha } from "./element/stile-captcha.ts";
import { loadModule } from "./load-module.ts";
import { ownAddress, withoutSlash } from "./service/own-address.ts";
import { recordBehaviour } from "./signals/behaviour-recorder.ts";
import type { Stile } from "./stile.ts";
import type { surface } from "./surface.ts";

type Rare = { readonly surface: Record<string, (...given: unknown[]) => never> };

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
  if (page.base !== "") define();
  /** A function that few pages call: fetched when one does. */
  const rare =
    (name: keyof typeof surface) =>
    async (...given: unknown[]): Promise<never> => {
      if (page.base === "") throw new Error(`stile.${name}: call stile.configure first`);
      const module = await loadModule<Rare>(page.base, "surface.js");
      const run = module?.surface[name];
      if (run === undefined) throw new Error(`stile.${name}: network`);
      return run(page, ...given);
    };
  const first = (): StileCaptcha | null => document.querySelector("stile-captcha");
  const stile: Stile = {
    version: VERSION,
    collect: rare("collect"),
    execute: rare("execute"),
    fetch: rare("fetch"),
    getResponse: (element = first()) => element?.value ?? "",
    reset: (element = first()) => element?.reset(),
    // Once, and only where the script doesn't know its own address: what it runs is the choice of scripts, never of markup.
    configure: ({ endpoint }: { readonly endpoint: string }): void => {
      if (page.base !== "") throw new Error(`stile.configure: the service is ${page.base} already`);
      page.base = withoutSlash(new URL(endpoint).href);
      define();
    },
  };
  Object.assign(globalThis, { stile: Object.freeze(stile) });
}
