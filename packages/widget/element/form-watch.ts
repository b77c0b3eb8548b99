/** Ends the holding of a submission, if there is one: carries it on with the button that began it, or drops it. */
export type Release = (mayGo: boolean) => void;

type SubmitButton = HTMLButtonElement | HTMLInputElement;

/** Who presses again so soon after the form went out has pressed twice by accident, ms. */
const SAME_PRESS_MS = 1_000;

const closest = (event: Event, selector: string): Element | null | undefined =>
  (event.composedPath()[0] as Partial<Element>).closest?.(selector);

function isOnSubmitButton(event: Event, form: HTMLFormElement | null): boolean {
  const button = closest(event, "button,input") as SubmitButton | null;
  return /^(submit|image)$/.test(button?.type ?? "") && button?.form === form;
}

/**
 * Watches the form (or, without one, the page) until `signal` aborts.
 *
 * - `onTouch`: a focus, a press or a key inside; at once if the focus is there already.
 * - `onAim`: the pointer or the focus has come to a button that submits.
 * - `onRead`: a script, or the browser, takes what is in the form; not while somebody types, when pages look without sending.
 * - `maySubmit`: whether the form may go out now; if not, it is held until it is released.
 */
export function watchForm(
  form: HTMLFormElement | null,
  signal: AbortSignal,
  onTouch: () => void,
  onAim: () => void,
  onRead: () => void,
  maySubmit: () => boolean,
): Release {
  const listen = (scope: EventTarget, names: string, onEvent: (event: Event) => void): void => {
    for (const name of names.split(" ")) scope.addEventListener(name, onEvent, { signal, capture: true });
  };
  const scope = form ?? document;
  let typedIn: Element | null | undefined;
  listen(scope, "focusin pointerdown keydown", (event) => {
    typedIn = closest(event, "input,select,textarea");
    onTouch();
  });
  if (form?.contains(document.activeElement)) onTouch();
  listen(scope, "focusin pointerover", (event) => isOnSubmitButton(event, form) && onAim());
  listen(scope, "formdata", (event) => event.target === form && !typedIn && onRead());

  let sentMs = Number.NEGATIVE_INFINITY;
  listen(document, "click", (event) => {
    const isSamePress = event.isTrusted && event.timeStamp - sentMs < SAME_PRESS_MS;
    if (isSamePress && isOnSubmitButton(event, form)) event.preventDefault();
  });
  /** What began the held submission: null is a script, undefined that none is held. */
  let heldUp: SubmitButton | null | undefined;
  // Ahead of the page's own handlers: there is nothing to send yet. Submissions don't leave a shadow tree, so it is the form's root.
  listen(scope.getRootNode(), "submit", (event) => {
    const submitter = (event as SubmitEvent).submitter as SubmitButton | null;
    // What closes a dialog sends nothing.
    if (event.target !== form || (submitter?.formMethod || form?.method) === "dialog") return;
    heldUp = submitter;
    if (maySubmit()) {
      heldUp = undefined;
      sentMs = event.timeStamp;
    } else {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  });

  return (mayGo) => {
    const button = heldUp;
    heldUp = undefined;
    if (!mayGo || button === undefined) return;
    const isDisabled = button?.disabled;
    // A button that a click disables, so that nobody presses twice, still says what was meant.
    if (isDisabled) button.disabled = false;
    form?.requestSubmit(button?.form === form ? button : null);
    if (isDisabled) button.disabled = true;
  };
}
