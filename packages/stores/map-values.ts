/**
 * The same object with each value replaced by the result of `map`. A replacement must have the type
 * of its original; the compiler does not check this.
 */
export function mapValues<Mapped extends object>(
  object: Mapped,
  map: <Name extends keyof Mapped & string>(name: Name, value: Mapped[Name]) => unknown,
): Mapped {
  const names = Object.keys(object) as (keyof Mapped & string)[];
  return Object.fromEntries(names.map((name) => [name, map(name, object[name])])) as Mapped;
}

/** Any method, for code that forwards calls without reading their arguments. */
export type AnyMethod = (...args: readonly unknown[]) => unknown;

/** The same port with each method replaced, under the same condition as `mapValues`. */
export function mapMethods<Port extends object>(
  port: Port,
  map: (name: keyof Port & string, method: AnyMethod) => AnyMethod,
): Port {
  return mapValues(port, (name, method) => map(name, method as AnyMethod));
}
