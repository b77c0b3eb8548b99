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

test("returns undefined without WebAssembly and does not throw (Lockdown Mode)", (context) => {
  withWebAssembly(context, undefined);
  assert.equal(instantiate(emitCheckModule()), undefined);
});

test("returns undefined under a policy against compiling and does not throw", (context) => {
  const realm = createContext({}, { codeGeneration: { wasm: false, strings: true } });
  const refusing: typeof WebAssembly = runInContext("WebAssembly", realm);
  assert.throws(() => new refusing.Module(emitCheckModule()), /disallowed/);
  withWebAssembly(context, refusing);
  assert.equal(instantiate(emitCheckModule()), undefined);
});

test("works again after a refusal, once compiling is allowed", () => {
  assert.ok(instantiate(emitCheckModule()) !== undefined);
});

test("shares one memory of 64 KiB that cannot grow among all modules, for any number of functions", () => {
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

test("treats bytes that are not a module like a policy's refusal", () => {
  assert.equal(instantiate(new Uint8Array([1, 2, 3])), undefined);
});
