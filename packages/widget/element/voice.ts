import { chooseLanguage } from "../languages/choose-language.ts";
import { en } from "../languages/en.ts";
import { learnErrors, learnTexts } from "../languages/learn-texts.ts";
import { sayError, type Texts } from "../languages/texts.ts";
import { loadSurface } from "../load-surface.ts";
import type { WidgetError } from "../machine/widget-error.ts";

/** What a widget says, in whose language; English until another was fetched. */
export type Voice = {
  readonly texts: () => Texts;
  /** Speaks the first language that is there of those that are wished for, as BCP 47 tags. */
  readonly wish: (languages: readonly (string | null | undefined)[]) => Promise<void>;
  /** Fetches the words for that error if they are not known yet. */
  readonly learn: (error: WidgetError) => Promise<void>;
  /** Says these texts, in JSON, in the place of its own. */
  readonly replace: (strings: string) => Promise<void>;
};

/** Fetches from the service of that address; `onChange` is called when there are other texts. */
export function createVoice(base: string, onChange: () => void): Voice {
  let texts: Texts = en;
  let own = (shown: Texts): Texts => shown;
  let wished = en.language;
  const change = (learnt: Texts): void => {
    texts = learnt;
    onChange();
  };
  return {
    texts: () => own(texts),
    wish: async (languages) => {
      const language = chooseLanguage(languages);
      if (language === wished) return;
      wished = language;
      const learnt = await learnTexts(base, language);
      if (wished !== language) return;
      if (learnt) change(learnt);
      // The next wish for it tries again.
      else wished = texts.language;
    },
    learn: async (error) => {
      if (sayError(en, error)) return;
      const learnt = await learnErrors(base, error);
      if (texts.language === learnt.language) change(learnt);
    },
    replace: async (strings) => {
      const surface = await loadSurface(base);
      own = (shown) => surface?.withStrings(shown, strings, base) ?? shown;
      onChange();
    },
  };
}
