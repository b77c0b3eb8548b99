/** A page in a browser of any engine, with its own profile. */
export type EnginePage = AsyncDisposable & {
  /** Goes to an address, and resolves once it is loaded. */
  readonly goto: (url: string) => Promise<void>;
  /**
   * Runs a function in the page, without access to anything around it here, and returns its result,
   * sent as JSON.
   */
  readonly evaluate: <Result, Given extends readonly unknown[]>(
    work: (...given: Given) => Result | Promise<Result>,
    ...given: Given
  ) => Promise<Result>;
  /**
   * Makes a mouse or a keyboard perform actions in order; resolves once the page has received them.
   */
  readonly perform: (
    device: "mouse" | "keyboard",
    actions: readonly InputAction[],
  ) => Promise<void>;
  /**
   * Errors, warnings and exceptions in the page's console so far; always empty in WebKit, whose
   * driver reports none.
   */
  readonly complaints: () => readonly string[];
};

/**
 * An action of an input device, in the terms of W3C WebDriver ("Actions"); positions are CSS pixels
 * of the window.
 */
export type InputAction =
  | { readonly type: "pointerMove"; readonly x: number; readonly y: number; readonly duration: 0 }
  | { readonly type: "pointerDown" | "pointerUp"; readonly button: 0 }
  | { readonly type: "keyDown" | "keyUp"; readonly value: string }
  | { readonly type: "pause"; readonly duration: number };

/** A running browser. */
export type BrowserEngine = AsyncDisposable & {
  readonly name: string;
  readonly openPage: () => Promise<EnginePage>;
};

/** The function with its arguments as a text that a page can run; it resolves to JSON. */
export function inPage(work: (...given: never[]) => unknown, given: readonly unknown[]): string {
  return `async () => JSON.stringify((await (${work})(...${JSON.stringify(given)})) ?? null)`;
}

/** The actions in the form that both drivers take. */
export function actionsOf(
  device: "mouse" | "keyboard",
  actions: readonly InputAction[],
): readonly object[] {
  const kind =
    device === "mouse"
      ? { type: "pointer", parameters: { pointerType: "mouse" } }
      : { type: "key" };
  return [{ id: device, ...kind, actions }];
}
