/**
 * The text without characters that a terminal treats as commands, because files, databases and
 * other programs supply some of the printed words.
 */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, "\ufffd");
}
