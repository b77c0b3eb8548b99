import { chooseLanguage } from "../languages/choose-language.ts";
import { en } from "../languages/en.ts";
import { learnErrors, learnTexts } from "../languages/learn-texts.ts";
import type { Texts } from "../languages/texts.ts";
import type { WidgetErrorName } from "../machine/widget-error.ts";

/** What a widget says, in whose language; English until another was fetched. */
export type Voice = {
  readonly texts: () => Texts;
  /** Speaks the first language that is there of those that are wished for, as BCP 47 tags. */
  readonly wish: (languages: readonly (string | null | undefined)[]) => Promise<void>;
  /** Fetches the words for that error if they are not known yet. */
  readonly learn: (name: WidgetErrorName) => Promise<void>;
};

/** Fetches from the service of that address; `onChange` is called when there are other texts. */
export function createVoice(base: string, onChange: () => void): Voice {
  let texts: Texts = en;
  let wished = en.language;
  const change = (learnt: Texts): void => {
    texts = learnt;
    onChange();
  };
  return {
    texts: () => texts,
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
    learn: async (name) => {
      if (texts.errors[name]) return;
      const learnt = await learnErrors(base, name);
      if (texts.language === learnt.language) change(learnt);
    },
  };
}
