import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createContext, runInContext } from "node:vm";
import { emitCheckModule } from "./check-module.ts";
import { generatePrograms } from "./program.ts";
import { emitSearchModule } from "./search-module.ts";
import { instantiate } from "./webassembly.ts";

const original = globalThis.WebAssembly;

function withWebAssembly(context: TestContext, replacement: unknown): void {
  Object.defineProperty(globalThis, "WebAssembly", {
    value: replacement,
    configurable: true,
    writable: true,
  });
  context.after(() =>
    Object.defineProperty(globalThis, "WebAssembly", {
      value: original,
      configurable: true,
      writable: true,
    }),
  );
}

test("no WebAssembly is an answer, not a fault (Lockdown Mode)", (context) => {
  withWebAssembly(context, undefined);
  assert.equal(instantiate(emitCheckModule()), undefined);
});

test("a policy against compiling is an answer, not a fault", (context) => {
  const realm = createContext({}, { codeGeneration: { wasm: false, strings: true } });
  const refusing: typeof WebAssembly = runInContext("WebAssembly", realm);
  assert.throws(() => new refusing.Module(emitCheckModule()), /disallowed/);
  withWebAssembly(context, refusing);
  assert.equal(instantiate(emitCheckModule()), undefined);
});

test("what was refused works again where it is allowed", () => {
  assert.ok(instantiate(emitCheckModule()) !== undefined);
});

test("all modules share one memory of 64 KiB that cannot grow, however many functions a search goes through", () => {
  const memories = new Set<ArrayBufferLike>();
  for (let number = 0; number < 600; number++) {
    const table = generatePrograms(new Int32Array(8).fill(number));
    const instance = instantiate(emitSearchModule(table));
    assert.ok(instance !== undefined);
    memories.add(instance.memory.buffer);
  }
  assert.equal(memories.size, 1);
  const [buffer] = memories;
  assert.equal(buffer?.byteLength, 65_536);
});

test("bytes that are no module are refused like a policy", () => {
  assert.equal(instantiate(new Uint8Array([1, 2, 3])), undefined);
});
