/**
 * Characters that are invisible or change how a text reads: controls, text directions, line ends.
 * Joiners are allowed, because words in many scripts need them, and emoji.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text without invisible characters: controls, text directions and line ends. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, "");
}

/**
 * Whether a text has no invisible characters, so that it can be shown in a list, a log or a
 * terminal.
 */
export function isAllSeen(text: string): boolean {
  return withoutUnseen(text) === text;
}

/**
 * Whether a text shows anything: spaces, joiners, marks and fillers alone make a name that nobody
 * can see or click.
 */
export function isVisible(text: string): boolean {
  return /[^\p{C}\p{M}\p{Z}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}
