// Scripts of a person's own extension. They run in the page by their source text alone, so they
// must not use anything else from this file.

/** What the extension fills in: the text of each field, by the field's id. */
type Texts = Readonly<Record<string, string>>;

const EXAMPLE: Texts = { email: "ada@example.org", password: "sesame 7" };

/** Fills in the form once it is there, by the events that password managers dispatch. */
function fill(texts: Texts): void {
  const fillOne = ([id, text]: readonly [string, string]): void => {
    const field = document.getElementById(id);
    if (!(field instanceof HTMLInputElement)) return;
    const dispatchKey = (): void => {
      for (const name of ["keydown", "keypress", "keyup"])
        field.dispatchEvent(new KeyboardEvent(name, { bubbles: true }));
    };
    field.click();
    field.focus();
    dispatchKey();
    field.value = text;
    dispatchKey();
    for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
  };
  setTimeout(() => Object.entries(texts).forEach(fillOne), 300);
}

/** Keeps the page's only thread busy, so that it draws 10 to 15 frames a second. */
function work(): void {
  const endMs = performance.now() + 45 + 40 * Math.random();
  while (performance.now() < endMs);
  requestAnimationFrame(work);
}

/** The source text of a password manager that fills in the form, and leaves the focus in it. */
export const FILLS_FORM = `${fill.toString()}\nfill(${JSON.stringify(EXAMPLE)});`;

/** The source text of an extension that slows down every frame. */
export const SLOWS_FRAMES = `${work.toString()}\nrequestAnimationFrame(work);`;
