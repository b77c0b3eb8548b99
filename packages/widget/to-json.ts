/** The `this` of a replacer: the holder of the value. */
type Holder = Readonly<Record<string, unknown>>;

/** JSON of plain data, also in pages whose old libraries add a `toJSON` to arrays and strings. */
export const toJson = (data: object): string =>
  JSON.stringify(data, function (this: Holder, key) {
    return this[key];
  });
