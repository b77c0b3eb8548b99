import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { assembleModule, signed, unsigned, type WasmFunction } from "./assemble-module.ts";
import {
  CALL,
  GET,
  I32,
  I32_ADD,
  I32_CONST,
  I64,
  I64_CONST,
  I64_MUL,
  I64_STORE,
  SET,
} from "./opcodes.ts";

const memory = new WebAssembly.Memory({ initial: 1, maximum: 1 });

/** Runs the one exported function of a module in the engine. */
function call(
  functions: readonly WasmFunction[],
  name: string,
  ...args: (number | bigint)[]
): unknown {
  const module = new WebAssembly.Module(assembleModule(functions));
  const exported = new WebAssembly.Instance(module, { m: { m: memory } }).exports[name];
  assert.ok(exported instanceof Function);
  return exported(...args);
}

const constant = (code: readonly number[], result: number): WasmFunction => ({
  name: "f",
  parameters: [],
  results: [result],
  i64Locals: 0,
  i32Locals: 0,
  body: code,
});

test("encodes every 64-bit constant so that an engine reads it back", () => {
  const corners = [
    0n,
    1n,
    63n,
    64n,
    127n,
    128n,
    2040n,
    2n ** 31n,
    2n ** 32n,
    2n ** 62n,
    2n ** 63n - 1n,
  ];
  for (const value of corners.flatMap((corner) => [corner, -corner - 1n])) {
    assert.equal(call([constant([I64_CONST, ...signed(value)], I64)], "f"), value);
  }
  fc.assert(
    fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
      assert.equal(call([constant([I64_CONST, ...signed(value)], I64)], "f"), value);
    }),
    { seed: 1 },
  );
});

test("encodes every offset so that an engine reads it back", () => {
  for (const offset of [0, 8, 127, 128, 2040, 4096, 16_384, 65_528]) {
    const store = {
      ...constant([I32_CONST, 0, I64_CONST, 42, I64_STORE, 3, ...unsigned(offset)], I64),
      results: [],
    };
    new Uint8Array(memory.buffer).fill(0);
    call([store], "f");
    assert.equal(new Uint8Array(memory.buffer).indexOf(42), offset);
  }
});

test("lets functions call one another by their index, with parameters, locals of both types and results", () => {
  const square: WasmFunction = {
    name: "square",
    parameters: [I64],
    results: [I64],
    i64Locals: 0,
    i32Locals: 0,
    body: [GET, 0, GET, 0, I64_MUL],
  };
  const product: WasmFunction = {
    name: "product",
    parameters: [I64, I64],
    results: [I64],
    i64Locals: 1,
    i32Locals: 1,
    body: [GET, 0, CALL, 0, SET, 2, I32_CONST, 5, SET, 3, GET, 2, GET, 1, I64_MUL],
  };
  assert.equal(call([square, product], "product", 7n, 3n), 147n);
  assert.equal(call([square, product], "square", 2n ** 33n), 0n);
});

test("encodes the lengths of a module's parts correctly beyond one byte and two", () => {
  for (const additions of [1, 50, 5000, 50_000]) {
    const body = [I32_CONST, 0, ...new Array(additions).fill([I32_CONST, 1, I32_ADD]).flat()];
    assert.equal(call([constant(body, I32)], "f"), additions);
  }
});

test("imports one memory of one page that cannot grow, and nothing else", () => {
  const bytes = assembleModule([constant([I32_CONST, 0], I32)]);
  assert.deepEqual(
    WebAssembly.Module.imports(new WebAssembly.Module(bytes)).map(({ module, name, kind }) => [
      module,
      name,
      kind,
    ]),
    [["m", "m", "memory"]],
  );
  for (const limits of [{ initial: 1 }, { initial: 1, maximum: 2 }]) {
    const larger = new WebAssembly.Memory(limits);
    const module = new WebAssembly.Module(bytes);
    assert.throws(
      () => new WebAssembly.Instance(module, { m: { m: larger } }),
      WebAssembly.LinkError,
    );
  }
});
