/**
 * The part of the WebAssembly API used here; declared by hand, since this code also compiles
 * without browser types.
 */
type WebAssemblyApi = {
  readonly Memory: new (limits: {
    readonly initial: number;
    readonly maximum: number;
  }) => WasmMemory;
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (module: object, imports: object) => { readonly exports: object };
};

type WasmMemory = { readonly buffer: ArrayBuffer };

/** `H(nonce)` under the key `b0`, `b1`. All are u64; the result is a signed bigint. */
type Hash = (nonce: bigint, b0: bigint, b1: bigint) => bigint;

/**
 * The exports of a search module. `search` returns the first nonce in `[from, to)` with `H(nonce) <
 * target`, or `to`.
 */
export type SearchExports = {
  readonly hash: Hash;
  readonly search: (from: number, to: number, target: bigint, b0: bigint, b1: bigint) => number;
};

/**
 * The exports of the check module; `draw` writes the numbers of `G(a0, a1, salt)` to the memory.
 */
export type CheckExports = {
  readonly hash: Hash;
  readonly draw: (salt: bigint, a0: bigint, a1: bigint) => void;
};

/** A running module and its memory. */
export type Instance<Exports> = {
  readonly exports: Exports;
  readonly memory: Uint8Array<ArrayBuffer>;
};

/**
 * All modules share one memory: engines reserve gigabytes of addresses for each, and no hash reads
 * another's data.
 */
let sharedMemory: WasmMemory | undefined;

/**
 * Compiles and starts a module. Returns `undefined` if that is refused: no WebAssembly at all
 * (Lockdown Mode, `--jitless`), a policy without 'wasm-unsafe-eval', or a page's thread in a
 * browser that compiles only small modules there.
 */
export function instantiate<Exports>(
  bytes: Uint8Array<ArrayBuffer>,
): Instance<Exports> | undefined {
  const { WebAssembly: api } = globalThis as { readonly WebAssembly?: WebAssemblyApi };
  if (api === undefined) return undefined;
  try {
    sharedMemory ??= new api.Memory({ initial: 1, maximum: 1 });
    const { exports } = new api.Instance(new api.Module(bytes), { m: { m: sharedMemory } });
    return { exports: exports as Exports, memory: new Uint8Array(sharedMemory.buffer) };
  } catch {
    return undefined;
  }
}
