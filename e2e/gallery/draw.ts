// Runs in the page: the widget's real view, showing whatever state it is given, without any work
// behind it.
import { createView } from "@stile/widget/element/view";
import { en } from "@stile/widget/languages/en";
import { showError } from "@stile/widget/languages/error-texts";
import { toTexts } from "@stile/widget/languages/load-texts";
import type { Card } from "./gallery.ts";

class Still extends HTMLElement {
  readonly view = createView(this.attachShadow({ mode: "open", delegatesFocus: true }));
}

customElements.define("stile-captcha", Still);

function figure({
  attributes = {},
  caption,
  theme,
  state,
  language,
  translation,
  inside = "",
}: Card): HTMLElement {
  const widget = new Still();
  for (const [name, value] of Object.entries(attributes)) widget.setAttribute(name, value);
  widget.innerHTML = inside;
  widget.view.box.dataset.theme = theme ?? "auto";
  widget.view.show(
    state,
    translation === undefined ? en : toTexts(language ?? "en", translation),
    showError,
    false,
  );
  const made = document.createElement("figure");
  made.append(widget);
  if (caption !== undefined)
    made.append(Object.assign(document.createElement("figcaption"), { textContent: caption }));
  return made;
}

Object.assign(globalThis, {
  draw: (cards: readonly Card[]) =>
    document.querySelector("main > div")?.replaceChildren(...cards.map(figure)),
});
