/** An event with the properties of a key's or a pointer's. */
type Aim = KeyboardEvent & PointerEvent;

/**
 * Calls `onAim` when somebody wants to send the form around a widget by a button that the page
 * enables only with the token: the pointer is over it, or Enter was pressed in the form, which with
 * a disabled button sends nothing. The button may be elsewhere (`form=`). Forms without such a
 * button are left alone: there, Enter may be a new line.
 */
export function watchAim(form: HTMLFormElement, signal: AbortSignal, onAim: () => void): void {
  const look = (event: Event): void => {
    const { key, clientX: x, clientY: y } = event as Aim;
    for (const button of form as Iterable<HTMLButtonElement>) {
      // By its position, since style sheets often let events pass through such a button.
      const place = button.getBoundingClientRect();
      const isThere = x > place.x && x < place.right && y > place.y && y < place.bottom;
      if (button.disabled && /submit|button/.test(button.type) && (key === "Enter" || isThere))
        onAim();
    }
  };
  form.addEventListener("keydown", look, { signal });
  addEventListener("pointermove", look, { signal });
  // A finger does not move over the button before it presses.
  addEventListener("pointerdown", look, { signal });
}
