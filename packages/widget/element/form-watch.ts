/** What a widget wants to know of the form (or, without one, the page) it stands in. */
export type FormWatch = {
  /**
   * Whether the form is being submitted this very moment by a button or Enter, and lacks nothing but the token: then the submission
   * can be carried on once the token is there.
   */
  readonly isHeldUpOnlyBy: (element: Element) => boolean;
  /** Carries on the submission with the button that began it. */
  readonly submitAgain: () => void;
};

type SubmitButton = HTMLButtonElement | HTMLInputElement;

function submitButtonOf(event: Event, form: HTMLFormElement | null): SubmitButton | undefined {
  const isButton = (node: EventTarget): node is SubmitButton =>
    (node instanceof HTMLButtonElement || node instanceof HTMLInputElement) && /^(submit|image)$/.test(node.type);
  const button = event.composedPath().find(isButton);
  return button?.form === form ? button : undefined;
}

function isInvalid(control: Element): boolean {
  const { willValidate, validity } = control as Partial<Pick<HTMLInputElement, "willValidate" | "validity">>;
  return willValidate === true && validity?.valid === false;
}

/**
 * Watches until `signal` aborts. `onTouch` is called at every focus, press and key inside; at once if the focus is there already.
 * `onAim` is called when the pointer or the focus comes to a button that submits.
 */
export function watchForm(
  form: HTMLFormElement | null,
  signal: AbortSignal,
  onTouch: () => void,
  onAim: () => void,
): FormWatch {
  const scope: EventTarget & Node = form ?? document;
  const options = { signal, capture: true, passive: true };
  for (const name of ["focusin", "pointerdown", "keydown"]) scope.addEventListener(name, onTouch, options);
  if (form?.contains(document.activeElement) === true) onTouch();
  for (const name of ["focusin", "pointerover"]) {
    scope.addEventListener(name, (event) => submitButtonOf(event, form) && onAim(), options);
  }

  /** The button being pressed, from its click (Enter in a field makes one too) until that click has been dealt with. */
  let pressed: SubmitButton | undefined;
  let heldUp: SubmitButton | undefined;
  const onClick = (event: Event): void => {
    if (form === null) return;
    pressed = submitButtonOf(event, form);
    setTimeout(() => {
      pressed = undefined;
    }, 0);
  };
  document.addEventListener("click", onClick, options);

  return {
    isHeldUpOnlyBy: (element) => {
      heldUp = pressed;
      return (
        pressed !== undefined && ![...(form?.elements ?? [])].some((other) => other !== element && isInvalid(other))
      );
    },
    submitAgain: () => {
      if (heldUp?.form === form && heldUp?.disabled === false) form?.requestSubmit(heldUp);
      heldUp = undefined;
    },
  };
}
