/**
 * The same object with each value replaced by what `map` makes of it. A replacement must have the
 * type of its original, which the compiler does not check.
 */
export function mapValues<Mapped extends object>(
  object: Mapped,
  map: <Name extends keyof Mapped & string>(name: Name, value: Mapped[Name]) => unknown,
): Mapped {
  const names = Object.keys(object) as (keyof Mapped & string)[];
  return Object.fromEntries(names.map((name) => [name, map(name, object[name])])) as Mapped;
}

/** Any method, for code that passes on calls whose arguments it does not look at. */
export type AnyMethod = (...args: readonly unknown[]) => unknown;

/** The same port with each of its methods replaced, under the same condition as `mapValues`. */
export function mapMethods<Port extends object>(
  port: Port,
  map: (name: keyof Port & string, method: AnyMethod) => AnyMethod,
): Port {
  return mapValues(port, (name, method) => map(name, method as AnyMethod));
}
