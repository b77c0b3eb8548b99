/**
 * The text without characters that a terminal takes for commands: files, databases and programs of
 * others put words into what is printed.
 */
export function printable(text: string): string {
  return text.replace(/[^\P{Cc}\n]/gu, "\ufffd");
}
