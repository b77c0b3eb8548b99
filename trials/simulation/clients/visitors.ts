import { parseIpAddress } from "@stile/core/domain/visitor/ip-address";
import type { Observations, Visitor } from "@stile/core/domain/visitor/visitor";
import { decodeBehaviour, decodeEnvironment } from "@stile/protocol/decode-signals";
import { HONEST_VISITORS } from "@stile/testkit/visits/honest-visitors";
import type { Chance } from "../world/chance.ts";

/** A visitor, and their page's report. */
export type Person = {
  readonly ip: string;
  readonly visitor: Visitor;
  readonly observations: Observations;
};

const WITHHELD: Observations = { environment: "withheld", behaviour: "withheld" };
const ADDRESSES = [
  "192.0.2.7",
  "192.0.2.8",
  "192.0.2.9",
  "203.0.113.20",
  "203.0.113.21",
  "2001:db8:1::5",
  "2001:db8:2::6",
];

function personAt(ip: string, index: number): Person {
  const evidence = HONEST_VISITORS[index % HONEST_VISITORS.length]?.evidence;
  if (evidence === undefined) throw new Error("there are no honest visitors");
  const address = parseIpAddress(ip);
  const { userAgent, headers, environment, behaviour } = evidence;
  const visitor = {
    address,
    bindingAddress: address,
    country: undefined,
    userAgent,
    riskHeaders: headers,
  };
  return {
    ip,
    visitor,
    observations: {
      environment: decodeEnvironment(environment),
      behaviour: decodeBehaviour(behaviour),
    },
  };
}

const PEOPLE = ADDRESSES.map(personAt);

/** A random visitor; one in three withholds their signals. */
export function pickPerson(chance: Chance): Person {
  const person = chance.pick(PEOPLE);
  return chance.happens(1 / 3) ? { ...person, observations: WITHHELD } : person;
}
