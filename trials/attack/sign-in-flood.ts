import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { createPasswords } from "@stile/server/cryptography/passwords";
import type { Trial } from "@stile/testkit/trials/trial";
import {
  cpuSecondsOf,
  type DashboardTarget,
  type From,
  OWNER,
  PASSWORD,
  startDashboardTarget,
} from "./dashboard-target.ts";

const FLOOD = { attempts: 500, everyMs: 20 } as const;
/** At one in this many attempts the attacker does the required work. */
const PAID_EVERY = 50;
const DEVICES = 4;
const NEW_DEVICES = 5;
const TRIES = 2;
const SAMPLES = 20;
/** When into the flood's first second owners sign in, and how far apart, ms. */
const SIGN_IN_EVERY_MS = 900;
const RIGHT = { email: OWNER, password: PASSWORD } as const;

/** An IPv6 /64 from which nobody called before. */
function someAddress(): string {
  const [a, b, c] = [0, 1, 2].map(() => randomBytes(2).toString("hex"));
  return `2001:${a}:${b}:${c}::1`;
}

async function flood({ call, signIn }: DashboardTarget): Promise<void> {
  const sent: Promise<unknown>[] = [];
  for (let n = 0; n < FLOOD.attempts; n++) {
    const claim = {
      email: `${randomBytes(4).toString("hex")}@example.org`,
      password: "a wrong guess at it",
    };
    const from = { address: someAddress() };
    sent.push(n % PAID_EVERY === 0 ? signIn(from, claim) : call("sign-in", from, claim));
    await pause(FLOOD.everyMs);
  }
  await Promise.all(sent);
}

/** The browsers in which the owner signed in before: some addresses, each with its cookies. */
async function knownDevices({ signIn }: DashboardTarget): Promise<readonly From[]> {
  const devices: From[] = [];
  for (let n = 0; n < DEVICES; n++) {
    const address = `198.51.${100 + n}.7`;
    devices.push({ address, cookie: (await signIn({ address }, RIGHT)).cookies.join("; ") });
  }
  return devices;
}

async function signInDuring({ call, signIn }: DashboardTarget, devices: readonly From[]) {
  let known = 0;
  let fresh = 0;
  for (let n = 0; n < Math.max(DEVICES, NEW_DEVICES); n++) {
    await pause(SIGN_IN_EVERY_MS);
    const device = devices[n];
    if (device !== undefined && (await call("sign-in", device, RIGHT)).status === 200) known += 1;
    const from = { address: someAddress() };
    for (let attempt = 0; attempt < TRIES; attempt++) {
      if ((await signIn(from, RIGHT)).status !== 200) continue;
      fresh += 1;
      break;
    }
  }
  return { known, fresh };
}

/** CPU time in seconds for hashing the password of each attempt, measured here with a few. */
async function hashingEachSeconds(): Promise<number> {
  const passwords = createPasswords();
  const before = process.cpuUsage();
  for (let n = 0; n < SAMPLES; n++) await passwords.verify(PASSWORD, null);
  const { user, system } = process.cpuUsage(before);
  return (((user + system) / 1e6) * FLOOD.attempts) / SAMPLES;
}

const percent = (part: number, whole: number): number => (100 * part) / whole;

/**
 * Keeps the only place where passwords are checked busy from many networks, while owners want to
 * sign in.
 */
export const signInFlood: Trial = {
  name: "sign-in-flood",
  tries:
    "sends 50 sign-ins a second for 10 s from rotating /64s, while owners sign in with the right password",
  run: async () => {
    const target = await startDashboardTarget();
    try {
      const hashingEach = await hashingEachSeconds();
      const devices = await knownDevices(target);
      const pid = target.service.pid();
      const before = cpuSecondsOf(pid);
      const [, { known, fresh }] = await Promise.all([
        flood(target),
        signInDuring(target, devices),
      ]);
      const spent = cpuSecondsOf(pid) - before;
      return [
        {
          name: "known browsers admitted",
          value: percent(known, DEVICES),
          unit: "%",
          bound: { kind: "at_least", value: 100 },
        },
        {
          name: `new browsers admitted within ${TRIES} tries`,
          value: percent(fresh, NEW_DEVICES),
          unit: "%",
          bound: { kind: "at_least", value: 80 },
        },
        { name: "CPU that hashing every password takes", value: hashingEach, unit: "s" },
        {
          name: "CPU of the service meanwhile",
          value: spent,
          unit: "s",
          bound: { kind: "at_most", value: 2 },
        },
      ];
    } finally {
      await target.service.dispose();
    }
  },
};
