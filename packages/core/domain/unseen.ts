/**
 * What is not seen, or makes the rest read otherwise: controls, directions, ends of lines. Joiners are part of words in many scripts, and of
 * emoji.
 */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]/gu;

/** The text as it is seen: without controls, directions and ends of lines. */
export function withoutUnseen(text: string): string {
  return text.replace(UNSEEN, "");
}

/** Whether a text reads as it stands, for whoever comes by it in a list, a log or a terminal. */
export function isAllSeen(text: string): boolean {
  return withoutUnseen(text) === text;
}
