import { chooseLanguage } from "../languages/choose-language.ts";
import { en } from "../languages/en.ts";
import { learnTexts } from "../languages/learn-texts.ts";
import { isToldAtOnce, say, sayFault, type Tell, type Texts } from "../languages/texts.ts";
import { loadTrouble } from "../load-trouble.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";

/** What a widget says, and in which language; English until another one was loaded. */
export type Voice = {
  readonly texts: () => Texts;
  /** Says nothing while the texts for the error are being loaded. */
  readonly tell: Tell;
  /**
   * Switches to the first available one of the wished languages, given as BCP 47 tags or any
   * values.
   */
  readonly wish: (languages: readonly unknown[]) => Promise<void>;
  /** Loads the texts for that error, unless they are built in. */
  readonly learn: (error: WidgetFault) => Promise<void>;
  /** From now on says its texts as that function changes them. */
  readonly replace: (change: (shown: Texts) => Texts) => void;
};

/**
 * Loads texts from the service at that address; `onChange` is called when the texts have changed.
 */
export function createVoice(base: string, onChange: () => void): Voice {
  let texts: Texts = en;
  let own = (shown: Texts): Texts => shown;
  let wished = en.language;
  let tell: Tell | undefined;
  let isMissing = false;
  return {
    texts: () => own(texts),
    tell: (status, shown, error) => {
      if (tell) return tell(status, shown, error);
      if (isToldAtOnce(error)) return sayFault(shown, error);
      return isMissing ? say(shown, "unreachable") : "";
    },
    wish: async (languages) => {
      const language = chooseLanguage(languages);
      if (language === wished) return;
      wished = language;
      const learnt = await learnTexts(base, language);
      if (wished !== language) return;
      texts = learnt ?? texts;
      // If loading fails, the next wish for it tries again.
      wished = texts.language;
      onChange();
    },
    learn: async (error) => {
      if (isToldAtOnce(error)) return;
      const trouble = await loadTrouble(base);
      tell = trouble && ((status, shown, fault) => trouble.tellError(status, shown, fault, base));
      // Then the network failed.
      isMissing = !tell;
      onChange();
    },
    replace: (change) => {
      own = change;
      onChange();
    },
  };
}
