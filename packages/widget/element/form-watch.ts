import { elementOf } from "../element-of.ts";
import { fieldNameOf } from "./form-field.ts";

/** The parts of a widget that form watching needs. */
export type WatchedWidget = Element & {
  readonly form: HTMLFormElement | null;
  readonly value: string;
};

type SubmitButton = HTMLButtonElement | HTMLInputElement;
/** A submit event; one that a script dispatched may lack properties of a browser's. */
export type FormSubmission = SubmitEvent & { readonly submitter?: SubmitButton | null };

/** A second press this soon after the form was sent is an accidental double press, ms. */
const SAME_PRESS_MS = 1_000;

// Never read a form's properties or call its methods by name: a field may have taken it (`<input
// name="contains">`).

function closest(event: Event, selector: string): Element | false | null {
  const element = elementOf(event);
  return element && Element.prototype.closest.call(element, selector);
}

/** The form's own property, which a field of that name would hide. */
const ownOf = (form: HTMLFormElement, name: "method" | "elements" | "isConnected"): unknown =>
  Reflect.get(HTMLFormElement.prototype, name, form);

/** The functions that the watch of a form calls. */
export type FormWatcher = {
  /** The current value of the form's field; empty if the form gets none. */
  readonly field: () => string;
  /** A focus, a press or a key inside; called at once if the focus is there already. */
  readonly onTouch: () => void;
  /** The pointer or the focus has come to a submit button. */
  readonly onAim: () => void;
  /** A dialog around the form was closed. */
  readonly onClose: () => void;
  /** Whether the form may be sent now; if not, that submission is stopped. */
  readonly maySubmit: (submission: FormSubmission) => boolean;
};

/**
 * Watches the form of a widget (or, without one, the page) until `signal` aborts, and gives it its
 * field.
 */
export function watchForm(widget: WatchedWidget, signal: AbortSignal, watcher: FormWatcher): void {
  const { form } = widget;
  const { field } = watcher;
  const listen = (scope: EventTarget, names: string, onEvent: (event: Event) => void): void => {
    for (const name of names.split(" "))
      scope.addEventListener(name, onEvent, { signal, capture: true });
  };
  const isOnSubmitButton = (event: Event): boolean | null => {
    const button = closest(event, "button,input") as SubmitButton | false | null;
    return button && /^(submit|image)$/.test(button.type) && button.form === form;
  };
  // The fields of an empty form are elsewhere (`form=`, or in a table).
  const scope = form && Element.prototype.hasChildNodes.call(form) ? form : document;
  const root = scope.getRootNode() as Document;
  listen(scope, "focusin pointerdown keydown", (event) => {
    // A page may have many such forms, each with its own widget.
    if ([scope, null, (event.target as HTMLInputElement).form].includes(form)) watcher.onTouch();
  });
  if (form && document.contains.call(form, document.activeElement)) watcher.onTouch();
  listen(scope, "focusin pointerover", (event) => isOnSubmitButton(event) && watcher.onAim());
  listen(scope, "formdata", (event) => {
    if (event.target !== form) return;
    const value = field();
    // Replaces the value of the mirror, which the browser believes to be empty.
    if (value) (event as FormDataEvent).formData.set(fieldNameOf(widget), value);
  });
  /**
   * A hidden input in the widget, replaced each time, for libraries that collect a form's inputs
   * one by one (jQuery's `serialize`, rails-ujs). Its value is computed when read and is never in
   * the markup, which pages copy and keep. There is none before the first token: code that takes
   * over a page drawn by a server (hydration) needs to find it unchanged.
   *
   * The fields for visitors without JavaScript are removed: where a script parsed the page they are
   * real fields, and would hold the form back.
   */
  const mirror = (): void => {
    for (const spare of root.querySelectorAll("noscript input")) spare.remove();
    widget.querySelector("input")?.remove();
    if (!widget.value || !field()) return;
    const input = document.createElement("input");
    input.type = "hidden";
    input.name = fieldNameOf(widget);
    // Pages that clear all their inputs clear this one too.
    widget.append(Object.defineProperty(input, "value", { get: field, set() {} }));
  };

  listen(
    document,
    "close",
    (event) => Node.prototype.contains.call(event.target as Node, form) && watcher.onClose(),
  );
  let sentMs = Number.NEGATIVE_INFINITY;
  let sentBy: FormSubmission["submitter"];
  // The visitor changed something since the form was sent, so another press is intended.
  listen(scope, "input change", () => {
    sentMs = Number.NEGATIVE_INFINITY;
  });
  listen(document, "click", (event) => {
    mirror();
    const isSamePress = event.isTrusted && event.timeStamp - sentMs < SAME_PRESS_MS;
    if (isSamePress && isOnSubmitButton(event) && closest(event, "button,input") === sentBy)
      event.preventDefault();
  });
  // Before the page's own handlers, since there is nothing to send yet. Submit events don't leave a
  // shadow tree, so this listens at the form's root.
  listen(root, "submit", (event) => {
    if (!form || event.target !== form) return;
    // A submission that closes a dialog sends nothing.
    if (((event as FormSubmission).submitter?.formMethod || ownOf(form, "method")) === "dialog")
      return;
    if (watcher.maySubmit(event as FormSubmission)) {
      sentMs = event.timeStamp;
      sentBy = (event as FormSubmission).submitter;
      mirror();
    } else {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  });
}

/**
 * Whether the form is in the page and any part of it is visible. In a closed dialog, for example,
 * it is not.
 */
export const isInSight = (form: HTMLFormElement): boolean =>
  ownOf(form, "isConnected") === true &&
  // The form itself may have no box: in a table, or with `display: contents`.
  [form, ...(ownOf(form, "elements") as Iterable<Element>)].some(
    (one) => Element.prototype.checkVisibility?.call(one) !== false,
  );

/**
 * The label of the button that the visitor has to press again, for a form that opens a window:
 * browsers allow that for 5 s after a press. Empty for any other.
 */
export function needsPress(
  form: HTMLFormElement,
  { submitter, isTrusted }: FormSubmission,
): string {
  const target =
    submitter?.getAttribute("formtarget") ?? Element.prototype.getAttribute.call(form, "target");
  if (
    !isTrusted ||
    target?.toLowerCase() !== "_blank" ||
    navigator.userActivation?.isActive !== false
  )
    return "";
  return submitter?.textContent?.trim() || submitter?.value || "";
}

/** Repeats a held submission of that form, with the button that began it. */
export function submitAgain(form: HTMLFormElement, submission: FormSubmission): void {
  const button = submission.submitter;
  const isDisabled = button?.disabled;
  // A button that disables itself on click, against double presses, still shows which button was
  // meant.
  if (isDisabled) button.disabled = false;
  if (submission.isTrusted)
    HTMLFormElement.prototype.requestSubmit.call(form, button?.form === form ? button : null);
  // An event that a script dispatched sends nothing: only its listeners react to it.
  else EventTarget.prototype.dispatchEvent.call(form, new SubmitEvent("submit", submission));
  if (isDisabled) button.disabled = true;
}
