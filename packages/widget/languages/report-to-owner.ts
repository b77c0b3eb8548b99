const reported = new Set<string>();

/**
 * Logs each error that only the page's owner can fix once to the console, with the page of the
 * service at `base` that explains it. Without an address there is nowhere to look.
 */
export function reportToOwner(
  base: string,
  { name }: { readonly name: string },
  fix: string,
): void {
  reportOnce(console.error, base, name, fix);
}

/** The same for code that works, but probably not as its owner intends. */
export function warnOwner(base: string, name: string, fix: string): void {
  reportOnce(console.warn, base, name, fix);
}

function reportOnce(write: (line: string) => void, base: string, name: string, fix: string): void {
  const line = `stile: ${name}. ${fix}${base && ` See ${base}/docs#${name}`}`;
  if (reported.has(line)) return;
  reported.add(line);
  write(line);
}
