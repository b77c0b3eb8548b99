import { elementOf } from "../element-of.ts";
import { fieldNameOf } from "./carry.ts";

/** A widget, as far as its form is concerned. */
export type WatchedWidget = Element & { readonly form: HTMLFormElement | null; readonly value: string };

type SubmitButton = HTMLButtonElement | HTMLInputElement;
/** The event of one; that which a script dispatched may lack what a browser's has. */
export type Submission = SubmitEvent & { readonly submitter?: SubmitButton | null };

/** Who presses again so soon after the form went out has pressed twice by accident, ms. */
const SAME_PRESS_MS = 1_000;

// Nothing here is read of a form, or called on it, by its name: its fields may have taken that (`<input name="contains">`).

function closest(event: Event, selector: string): Element | false | null {
  const element = elementOf(event);
  return element && Element.prototype.closest.call(element, selector);
}

/**
 * Watches the form of a widget (or, without one, the page) until `signal` aborts, and gives it its field.
 *
 * - `field`: what the form carries now; empty where it carries nothing.
 * - `onTouch`: a focus, a press or a key inside; at once if the focus is there already.
 * - `onAim`: the pointer or the focus has come to a button that submits.
 * - `onRead`: a script, or the browser, takes what is in the form; not while somebody types, when pages look without sending.
 * - `maySubmit`: whether the form may go out now; if not, that submission is held.
 */
export function watchForm(
  widget: WatchedWidget,
  signal: AbortSignal,
  field: () => string,
  onTouch: () => void,
  onAim: () => void,
  onRead: () => void,
  maySubmit: (submission: Submission) => boolean,
): void {
  const { form } = widget;
  const listen = (scope: EventTarget, names: string, onEvent: (event: Event) => void): void => {
    for (const name of names.split(" ")) scope.addEventListener(name, onEvent, { signal, capture: true });
  };
  const isOnSubmitButton = (event: Event): boolean | null => {
    const button = closest(event, "button,input") as SubmitButton | false | null;
    return button && /^(submit|image)$/.test(button.type) && button.form === form;
  };
  // The fields of an empty one stand elsewhere (`form=`, or in a table).
  const scope = form && Element.prototype.hasChildNodes.call(form) ? form : document;
  let typedIn: Element | false | null;
  listen(scope, "focusin pointerdown keydown", (event) => {
    typedIn = closest(event, "input:not([type=button]),textarea,select");
    // A page may have many such forms, each with a widget of its own.
    if ([scope, null, (event.target as HTMLInputElement).form].includes(form)) onTouch();
  });
  if (form && document.contains.call(form, document.activeElement)) onTouch();
  listen(scope, "focusin pointerover", (event) => isOnSubmitButton(event) && onAim());
  const read = (): string => {
    if (!typedIn) onRead();
    return field();
  };
  listen(scope, "formdata", (event) => {
    if (event.target !== form) return;
    const value = read();
    // In the place of the mirror's, which the browser knows to be empty.
    if (value) (event as FormDataEvent).formData.set(fieldNameOf(widget), value);
  });
  /**
   * Libraries that collect a form's inputs one by one (jQuery's `serialize`, rails-ujs) find a hidden one in the widget, in the place of
   * the last. What it answers never stands in the markup, which pages copy and keep. Not before there is a token: whoever takes over a
   * page that a server has drawn (hydration) wants to find it as it was.
   */
  const mirror = (): void => {
    widget.querySelector("input")?.remove();
    if (!widget.value || !field()) return;
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = fieldNameOf(widget);
    // Pages clear all their inputs, too.
    widget.append(Object.defineProperty(input, "value", { get: read, set() {} }));
  };

  let sentMs = Number.NEGATIVE_INFINITY;
  listen(document, "click", (event) => {
    mirror();
    const isSamePress = event.isTrusted && event.timeStamp - sentMs < SAME_PRESS_MS;
    if (isSamePress && isOnSubmitButton(event)) event.preventDefault();
  });
  // Ahead of the page's own handlers: there is nothing to send yet. Submissions don't leave a shadow tree, so it is the form's root.
  listen(scope.getRootNode(), "submit", (event) => {
    // What closes a dialog sends nothing.
    if (event.target !== form || ((event as Submission).submitter?.formMethod || form?.method) === "dialog") return;
    if (maySubmit(event as Submission)) {
      sentMs = event.timeStamp;
      mirror();
    } else {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  });
}

/** Carries on a submission of that form that was held, with the button that began it. */
export function submitAgain(form: HTMLFormElement, submission: Submission): void {
  const button = submission.submitter;
  const isDisabled = button?.disabled;
  // A button that a click disables, so that nobody presses twice, still says what was meant.
  if (isDisabled) button.disabled = false;
  if (submission.isTrusted) form.requestSubmit(button?.form === form ? button : null);
  // What a script dispatched sends nothing by itself: only those who listen hear of it.
  else form.dispatchEvent(new SubmitEvent("submit", submission));
  if (isDisabled) button.disabled = true;
}
