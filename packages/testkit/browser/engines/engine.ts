/** A page in a browser of any engine, with a profile of its own. */
export type EnginePage = AsyncDisposable & {
  /** Goes to an address, and resolves once it is loaded. */
  readonly goto: (url: string) => Promise<void>;
  /** Runs a function in the page, which sees nothing of its surroundings here, and answers what it came to, as JSON. */
  readonly evaluate: <Result, Given extends readonly unknown[]>(
    work: (...given: Given) => Result | Promise<Result>,
    ...given: Given
  ) => Promise<Result>;
  /** Lets a mouse and a keyboard do something, in order; resolves once the page has heard of it. */
  readonly perform: (device: "mouse" | "keyboard", actions: readonly InputAction[]) => Promise<void>;
  /** Errors and warnings in the page's console so far, exceptions among them; always none in WebKit, whose driver tells of none. */
  readonly complaints: () => readonly string[];
};

/** What an input device does, in the words of W3C WebDriver ("Actions"); places are CSS pixels of the window. */
export type InputAction =
  | { readonly type: "pointerMove"; readonly x: number; readonly y: number; readonly duration: 0 }
  | { readonly type: "pointerDown" | "pointerUp"; readonly button: 0 }
  | { readonly type: "keyDown" | "keyUp"; readonly value: string }
  | { readonly type: "pause"; readonly duration: number };

/** A browser that runs. */
export type Engine = AsyncDisposable & {
  readonly name: string;
  readonly openPage: () => Promise<EnginePage>;
};

/** The function as a text that a page can run, with what it is given; it resolves to JSON. */
export function inPage(work: (...given: never[]) => unknown, given: readonly unknown[]): string {
  return `async () => JSON.stringify((await (${work})(...${JSON.stringify(given)})) ?? null)`;
}

/** The actions as both drivers take them. */
export function actionsOf(device: "mouse" | "keyboard", actions: readonly InputAction[]): readonly object[] {
  const kind = device === "mouse" ? { type: "pointer", parameters: { pointerType: "mouse" } } : { type: "key" };
  return [{ id: device, ...kind, actions }];
}
