// What guises say of themselves by script alone, before the page and in every frame of it.

/** Claims in the place of the browser's own. */
export type Lies = {
  readonly navigator?: Readonly<Record<string, unknown>>;
  readonly screen?: Readonly<Record<string, number>>;
  readonly window?: Readonly<Record<string, number>>;
  /** Answers of `matchMedia`, by query. */
  readonly media?: Readonly<Record<string, boolean>>;
};

/** Serialized into every document of the guise. */
export function lie({ navigator: own = {}, screen: screenLies = {}, window: windowLies = {}, media = {} }: Lies): void {
  const answer = (target: object, values: Readonly<Record<string, unknown>>): void => {
    for (const [name, value] of Object.entries(values))
      Object.defineProperty(target, name, { get: () => value, configurable: true, enumerable: true });
  };
  answer(Navigator.prototype, own);
  answer(Screen.prototype, screenLies);
  answer(window, windowLies);
  const honest = window.matchMedia;
  window.matchMedia = (query) => {
    const list = honest.call(window, query);
    if (media[query] !== undefined) Object.defineProperty(list, "matches", { get: () => media[query] });
    return list;
  };
}

/** A larger screen of finer points, as somebody who runs many browsers gives each its own. */
export const OTHER_SCREEN: Lies = {
  screen: { width: 2560, height: 1440, availWidth: 2560, availHeight: 1400 },
  window: { devicePixelRatio: 1.5 },
};

/** The screen and the bars of a window, for a browser that has neither. */
export const WINDOW_AROUND: Lies = {
  screen: { width: 1920, height: 1080, availWidth: 1920, availHeight: 1040 },
  window: { outerWidth: 1296, outerHeight: 893 },
};

const finger = (isFinger: boolean): Readonly<Record<string, boolean>> => ({
  "(hover: hover)": !isFinger,
  "(any-hover: hover)": !isFinger,
  "(hover: none)": isFinger,
  "(any-hover: none)": isFinger,
  "(pointer: fine)": !isFinger,
  "(any-pointer: fine)": !isFinger,
  "(pointer: coarse)": isFinger,
  "(any-pointer: coarse)": isFinger,
  "(pointer: none)": false,
  "(any-pointer: none)": false,
});

/** A mouse, for a browser that has no pointer. */
export const MOUSE_THERE: Lies = { ...WINDOW_AROUND, media: finger(false) };

/** Fingers, which keep rules for computers from being asked. */
export const FINGERS: Lies = { navigator: { maxTouchPoints: 5 } };

/** The same on all counts that scripts can see: a phone. */
export const PHONE_BY_SCRIPT: Lies = {
  navigator: { maxTouchPoints: 5, platform: "Linux armv81" },
  screen: { width: 412, height: 915, availWidth: 412, availHeight: 915 },
  window: { devicePixelRatio: 2.625, outerWidth: 412, outerHeight: 915 },
  media: finger(true),
};
