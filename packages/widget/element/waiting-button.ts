/** Whether the pointer is over what waits for the token; by its place, since style sheets often let events through such a button. */
const isOverWaiting = (form: HTMLFormElement, { clientX: x, clientY: y }: PointerEvent): boolean =>
  [...form.querySelectorAll("button:disabled")].some((button) => {
    const place = button.getBoundingClientRect();
    return x > place.x && x < place.right && y > place.y && y < place.bottom;
  });

/**
 * Calls back when somebody wants to send the form around a widget by a button that the page enables with the token: the pointer has
 * come to it, or Enter was pressed in a field, by which browsers then send nothing.
 */
export function watchAim(form: HTMLFormElement | null, signal: AbortSignal, onAim: () => void): void {
  form?.addEventListener("pointermove", (event) => isOverWaiting(form, event) && onAim(), { signal });
  form?.addEventListener("keydown", ({ key }) => key === "Enter" && onAim(), { signal });
}
