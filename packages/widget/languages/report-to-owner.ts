const told = new Set<string>();

/**
 * Writes to the console, once for each, what only the page's owner can fix, and where the service
 * at `base` explains it; without an address there is nowhere to look.
 */
export function reportToOwner(
  base: string,
  { name }: { readonly name: string },
  fix: string,
): void {
  reportOnce(console.error, base, name, fix);
}

/** The same for what works, but probably not as its owner means it. */
export function warnOwner(base: string, name: string, fix: string): void {
  reportOnce(console.warn, base, name, fix);
}

function reportOnce(write: (line: string) => void, base: string, name: string, fix: string): void {
  const line = `stile: ${name}. ${fix}${base && ` See ${base}/docs#${name}`}`;
  if (told.has(line)) return;
  told.add(line);
  write(line);
}
