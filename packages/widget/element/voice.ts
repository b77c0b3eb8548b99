import { chooseLanguage } from "../languages/choose-language.ts";
import { en } from "../languages/en.ts";
import { learnTexts } from "../languages/learn-texts.ts";
import { isToldAtOnce, say, sayFault, type Tell, type Texts } from "../languages/texts.ts";
import { loadSurface } from "../load-surface.ts";
import { loadTrouble } from "../load-trouble.ts";
import type { WidgetFault } from "../machine/widget-fault.ts";

/** What a widget says, in whose language; English until another was fetched. */
export type Voice = {
  readonly texts: () => Texts;
  /** Says nothing while what is to be said of the error is being fetched. */
  readonly tell: Tell;
  /** Speaks the first language that is there of those that are wished for, as BCP 47 tags or anything. */
  readonly wish: (languages: readonly unknown[]) => Promise<void>;
  /** Fetches what is to be said of that error, if it is not told at once. */
  readonly learn: (error: WidgetFault) => Promise<void>;
  /** Says these texts, in JSON, in the place of its own. */
  readonly replace: (strings: string) => Promise<void>;
};

/** Fetches from the service of that address; `onChange` is called when there are other texts. */
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
      // Where it can't be had, the next wish for it tries again.
      wished = texts.language;
      onChange();
    },
    learn: async (error) => {
      if (isToldAtOnce(error)) return;
      tell = (await loadTrouble(base))?.tellError;
      // Then the network went wrong.
      isMissing = !tell;
      onChange();
    },
    replace: async (strings) => {
      const surface = await loadSurface(base);
      own = (shown) => surface?.withStrings(shown, strings, base) ?? shown;
      onChange();
    },
  };
}
