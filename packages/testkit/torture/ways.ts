import { setTimeout as delay } from "node:timers/promises";
import { type ProxyMode, startTcpProxy, type TcpProxy } from "../postgres/tcp-proxy.ts";
import { type ClusterFault, inTurn } from "./faults.ts";

/** Connections between servers and one engine, one for each server, which can be broken. */
export type Ways = {
  /** Opens another one; returns its port on the loopback address. */
  readonly open: () => Promise<number>;
  readonly setAll: (mode: ProxyMode) => void;
  /** Faults that break one connection each, for a while. */
  readonly faults: () => readonly ClusterFault[];
  readonly stop: () => Promise<void>;
};

const BREAKS: readonly ProxyMode[] = ["cut", "torn", "deaf", "silent", "slow"];
const BREAK_MS = { least: 200, more: 1500 } as const;

function breaksOf(proxy: TcpProxy, name: string): readonly ClusterFault[] {
  const breaks = BREAKS.map(
    (mode): ClusterFault => ({
      name: `${name} ${mode}`,
      isKill: false,
      run: async (random) => {
        proxy.setMode(mode);
        await delay(BREAK_MS.least + random(BREAK_MS.more));
        proxy.setMode("pass");
      },
    }),
  );
  return inTurn(breaks);
}

/**
 * Connections to the engine of this name at a port, none at first; `rewrite` can change its
 * answers.
 */
export function createWays(
  engine: string,
  targetPort: number,
  rewrite?: (answer: Buffer) => Buffer,
): Ways {
  const proxies: TcpProxy[] = [];
  return {
    open: async () => {
      const proxy = await startTcpProxy(targetPort, { rewrite });
      proxies.push(proxy);
      return proxy.port;
    },
    setAll: (mode) => {
      for (const proxy of proxies) proxy.setMode(mode);
    },
    faults: () => proxies.flatMap((proxy, at) => breaksOf(proxy, `way ${at + 1} to ${engine}`)),
    stop: async () => {
      for (const proxy of proxies) await proxy.stop();
    },
  };
}
