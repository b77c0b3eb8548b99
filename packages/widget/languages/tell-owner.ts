const told = new Set<string>();

/** Writes to the console, once for each, what only the page's owner can fix, and where it is documented. */
export function tellOwner({ name }: { readonly name: string }, fix: string): void {
  const line = `stile: ${name}. ${fix} See docs/reference/widget.md#${name}`;
  if (told.has(line)) return;
  told.add(line);
  console.error(line);
}
