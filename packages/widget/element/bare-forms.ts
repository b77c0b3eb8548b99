import { warnOwner } from "../languages/report-to-owner.ts";

/**
 * For a page with a widget outside every form: warns its owner of a form that is sent by the
 * browser, by POST, without a widget, until `signal` aborts.
 */
export function warnOfBareForms(base: string, signal: AbortSignal): void {
  const look = (event: Event): void => {
    const form = event.target as Element;
    const isPost = /^post$/i.test(Element.prototype.getAttribute.call(form, "method") ?? "");
    const widgets = document.querySelectorAll<Element & { readonly form: Element | null }>(
      "stile-captcha",
    );
    if (!isPost || [...widgets].some((widget) => widget.form === form)) return;
    // A script that sends the form itself may take the token from any widget.
    setTimeout(() => {
      if (!event.defaultPrevented)
        warnOwner(
          base,
          "form_without_widget",
          "A form was sent without a token. Put <stile-captcha> inside the form.",
        );
    });
  };
  addEventListener("submit", look, { signal, capture: true });
}
