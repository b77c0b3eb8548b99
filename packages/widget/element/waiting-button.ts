type Aim = KeyboardEvent & PointerEvent;

/** Whether that was Enter, or the pointer over the button; by its place, since style sheets often let events through such a button. */
function isMeant(button: Element, { key, clientX: x, clientY: y }: Aim): boolean {
  const place = button.getBoundingClientRect();
  return key === "Enter" || (x > place.x && x < place.right && y > place.y && y < place.bottom);
}

/**
 * Calls back when somebody wants to send the form around a widget by a button that the page enables with the token: the pointer has
 * come to it, or Enter was pressed, by which browsers then send nothing. Forms without such a button are left alone: there, Enter
 * may be a new line.
 */
export function watchAim(form: HTMLFormElement | null | undefined, signal: AbortSignal, onAim: () => void): void {
  for (const name of ["pointermove", "keydown"]) {
    const look = (event: Event): void => {
      for (const button of form?.querySelectorAll("button:disabled") ?? []) if (isMeant(button, event as Aim)) onAim();
    };
    form?.addEventListener(name, look, { signal });
  }
}
