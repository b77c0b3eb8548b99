import type { Store } from "@stile/core/ports/store";
import { createMemoryStore } from "@stile/testkit/memory-store/memory-store";
import type { Engine } from "./engine.ts";

/** The deviations of a known-wrong engine. */
export type MemoryEngineParts = {
  readonly createStore?: () => Store;
  /** Whether a start on a copy retires the service keys, as `Store.begin` promises. */
  readonly retires?: boolean;
};

type Method = (...args: readonly unknown[]) => unknown;
type Write = {
  readonly port: keyof Store;
  readonly method: string;
  readonly args: readonly unknown[];
};

const READS = /^(find|list|read|is|newest)/;
const methodOf = (store: Store, port: keyof Store, method: string): Method =>
  (store[port] as unknown as Record<string, Method>)[method] as Method;

/**
 * The memory store as data that outlive a process. A copy is a number of writes, and restoring it
 * makes them again on an empty store: the same code, so the same state. `begin` fences copies off
 * as in decision 0010 (retired keys).
 */
export function createMemoryEngine({
  createStore = createMemoryStore,
  retires = true,
}: MemoryEngineParts = {}): Engine {
  let data = createStore();
  let writes: Write[] = [];
  let retired: readonly number[] = [];
  let isCopy = false;
  /** The retired keys at the time of the copy with that many writes. */
  const retiredAt = new Map<number, readonly number[]>();

  const recording = (port: Exclude<keyof Store, "nodes">): object =>
    Object.fromEntries(
      Object.keys(data[port]).map((method) => [
        method,
        (...args: readonly unknown[]) => {
          if (!READS.test(method)) writes.push({ port, method, args });
          return methodOf(data, port, method)(...args);
        },
      ]),
    );

  const open = async (): Promise<Store> => {
    // Only one process uses the data, so there is no other node to notify.
    const { nodes: _none, ...own } = data;
    const ports = (Object.keys(own) as (keyof typeof own)[]).filter(
      (name) => typeof own[name] === "object",
    );
    const store = { ...own, ...Object.fromEntries(ports.map((port) => [port, recording(port)])) };
    const listServiceKeys = async () =>
      (await data.serviceKeys.listServiceKeys()).map((key) => ({
        ...key,
        isRetired: retired.includes(key.keyId),
      }));
    return {
      ...store,
      serviceKeys: { ...store.serviceKeys, listServiceKeys },
      begin: async () => {
        const keys = (await listServiceKeys()).filter(({ isRetired }) => !isRetired);
        const mayContinue = !isCopy || !retires || keys.length === 0;
        isCopy = false;
        if (mayContinue) return "continued";
        retired = [...retired, ...keys.map(({ keyId }) => keyId)];
        return "retired";
      },
    };
  };

  return {
    isReal: false,
    open,
    copy: async () => {
      retiredAt.set(writes.length, retired);
      return { number: writes.length };
    },
    restore: async ({ number }) => {
      data = createStore();
      writes = writes.slice(0, number);
      for (const { port, method, args } of writes) await methodOf(data, port, method)(...args);
      retired = retiredAt.get(number) ?? [];
      isCopy = true;
    },
    close: async () => {},
  };
}
