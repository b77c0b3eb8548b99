import { chooseLanguage } from "../languages/choose-language.ts";
import { en } from "../languages/en.ts";
import { loadTexts } from "../languages/load-texts.ts";
import { type DescribeError, isBuiltIn, say, sayFault, type Texts } from "../languages/texts.ts";
import { loadTrouble } from "../load-trouble.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";

/** The texts of a widget, in one language; English until another one was loaded. */
export type Messages = {
  readonly texts: () => Texts;
  /** Returns an empty text while the texts for the error are being loaded. */
  readonly describeError: DescribeError;
  /**
   * Switches to the first of these languages that is available. They are BCP 47 tags, but may be
   * any values.
   */
  readonly setLanguage: (languages: readonly unknown[]) => Promise<void>;
  /** Loads the texts for that error, unless they are built in. */
  readonly loadErrorTexts: (error: WidgetFault) => Promise<void>;
  /** From now on applies this function to all texts. */
  readonly customize: (change: (shown: Texts) => Texts) => void;
};

/** Loads texts from the service at that address; calls `onChange` when the texts have changed. */
export function createMessages(base: string, onChange: () => void): Messages {
  let texts: Texts = en;
  let customTexts = (shown: Texts): Texts => shown;
  let chosen = en.language;
  let describeError: DescribeError | undefined;
  let isMissing = false;
  return {
    texts: () => customTexts(texts),
    describeError: (status, shown, error) => {
      if (describeError) return describeError(status, shown, error);
      if (isBuiltIn(error)) return sayFault(shown, error);
      return isMissing ? say(shown, "unreachable") : "";
    },
    setLanguage: async (languages) => {
      const language = chooseLanguage(languages);
      if (language === chosen) return;
      chosen = language;
      const loaded = await loadTexts(base, language);
      if (chosen !== language) return;
      texts = loaded ?? texts;
      // If loading fails, the next call for that language tries again.
      chosen = texts.language;
      onChange();
    },
    loadErrorTexts: async (error) => {
      if (isBuiltIn(error)) return;
      const trouble = await loadTrouble(base);
      describeError =
        trouble && ((status, shown, fault) => trouble.showError(status, shown, fault, base));
      // If the texts are missing, the network has failed.
      isMissing = !describeError;
      onChange();
    },
    customize: (change) => {
      customTexts = change;
      onChange();
    },
  };
}
