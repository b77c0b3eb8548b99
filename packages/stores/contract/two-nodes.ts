import type { Store } from "@stile/core/ports/store";
import { LINK_RACES } from "./account/links-contract.ts";
import { MEMBER_RACES } from "./account/members-contract.ts";
import { SESSION_RACES } from "./account/sessions-contract.ts";
import { CHALLENGE_RACES } from "./challenge/challenge-ledger-contract.ts";
import { LIMIT_RACES } from "./rate-limiter-contract.ts";
import { STORE_CONTRACT } from "./store-contract.ts";
import { TOKEN_RACES } from "./token/token-ledger-contract.ts";

type Port = Readonly<Record<string, unknown>>;

/** Methods that only read. Reading on another node than the writer's shows what was shared. */
const isRead = (method: string): boolean =>
  /^(find|list|read|is[A-Z]|newest|describe)/.test(method);

/** Makes one store of two nodes: writes go to `here`, reads to `there`. */
function writeHereReadThere(here: Store, there: Store): Store {
  const split = (port: Port, other: Port): Port =>
    Object.fromEntries(
      Object.entries(port).map(([name, method]) => [name, isRead(name) ? other[name] : method]),
    );
  const ports = Object.entries(here).map(([name, port]) => {
    const other = (there as unknown as Port)[name];
    return [name, typeof port === "object" ? split(port as Port, other as Port) : port];
  });
  return Object.fromEntries(ports) as Store;
}

/** Makes one store of two nodes that take turns with the calls. */
function takeTurns(first: Store, second: Store): Store {
  let calls = 0;
  const split = (port: Port, other: Port): Port => {
    const methods = Object.entries(port).map(([name, method]) => {
      const pair = [method, other[name]] as ((...args: unknown[]) => unknown)[];
      return [name, (...args: unknown[]) => pair[calls++ % 2]?.(...args)] as const;
    });
    return Object.fromEntries(methods);
  };
  const ports = Object.entries(first).map(([name, port]) => {
    const other = (second as unknown as Port)[name];
    return [name, typeof port === "object" ? split(port as Port, other as Port) : port];
  });
  return Object.fromEntries(ports) as Store;
}

const RACES = [
  ...TOKEN_RACES,
  ...CHALLENGE_RACES,
  ...LIMIT_RACES,
  ...MEMBER_RACES,
  ...LINK_RACES,
  ...SESSION_RACES,
];

/** Ways to use two nodes as if they were one store, and the guarantees that each must keep. */
export const PAIRS = [
  {
    how: "two nodes, one writes and one reads",
    join: writeHereReadThere,
    guarantees: STORE_CONTRACT,
  },
  { how: "two nodes in turn", join: takeTurns, guarantees: RACES },
];
