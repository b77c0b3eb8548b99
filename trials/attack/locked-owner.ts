import { createHash } from "node:crypto";
import type { Trial } from "@stile/testkit/trials/trial";
import { type DashboardTarget, OWNER, PASSWORD, startDashboardTarget } from "./dashboard-target.ts";

const RIGHT = { email: OWNER, password: PASSWORD } as const;
const GUESSES = 5;
/** Hex digits of an email's digest by which an email was once looked up. */
const TWIN_HEX = 4;

function digestOf(email: string): string {
  return createHash("sha256").update(email).digest("hex").slice(0, TWIN_HEX);
}

/**
 * An email of the attacker's with a digest that begins like the owner's: 65,000 tries, no request,
 * one second.
 */
function findTwin(): { readonly email: string; readonly tries: number } {
  const wanted = digestOf(OWNER);
  for (let tries = 1; ; tries++) {
    const email = `twin-${tries}@example.org`;
    if (digestOf(email) === wanted) return { email, tries };
  }
}

/** Whether the owner can sign in with the known browser, and with a new one in another network. */
async function ownerComesIn({ call, signIn, owner }: DashboardTarget, place: number) {
  const known = await call("sign-in", owner, RIGHT);
  const fresh = await signIn({ address: `198.51.${place}.7` }, RIGHT);
  return { known: Number(known.status === 200), fresh: Number(fresh.status === 200) };
}

async function auditLines({ call, owner }: DashboardTarget): Promise<number> {
  const { data } = await call("audit", owner);
  const { entries = [] } = data as { entries?: readonly { action: string; subject: string }[] };
  return entries.filter(
    ({ action, subject }) => action === "sign_in_limited" && subject.startsWith(OWNER),
  ).length;
}

/** Guesses until the attacker's own network is refused. */
async function guess({ signIn }: DashboardTarget, email: string, times: number): Promise<void> {
  for (let n = 0; n < times; n++)
    await signIn({ address: `203.0.113.${n + 1}` }, { email, password: `guess ${n} at it` });
}

const yes = { kind: "at_least", value: 1 } as const;

/** Wrong passwords for an email that shares the owner's budget, and for the owner's own. */
export const lockedOwner: Trial = {
  name: "locked-owner",
  tries:
    "locks a named owner out by five wrong passwords at a twin of its email, and by as many at the email itself",
  run: async (say) => {
    const target = await startDashboardTarget();
    try {
      const twin = findTwin();
      say(`found ${twin.email} after ${twin.tries} tries`);
      await guess(target, twin.email, GUESSES);
      const afterTwin = await ownerComesIn(target, 20);
      await guess(target, OWNER, GUESSES + 1);
      const afterOwn = await ownerComesIn(target, 30);
      return [
        {
          name: "the known browser comes in after guesses at the twin",
          value: afterTwin.known,
          unit: "",
          bound: yes,
        },
        {
          name: "a new browser comes in after guesses at the twin",
          value: afterTwin.fresh,
          unit: "",
          bound: yes,
        },
        {
          name: "the known browser comes in after guesses at the email",
          value: afterOwn.known,
          unit: "",
          bound: yes,
        },
        {
          name: "a new browser comes in after guesses at the email",
          value: afterOwn.fresh,
          unit: "",
          bound: yes,
        },
        {
          name: "lines of the audit log that tell of it",
          value: await auditLines(target),
          unit: "",
          bound: yes,
        },
        {
          name: "lines of the audit log at most",
          value: await auditLines(target),
          unit: "",
          bound: { kind: "at_most", value: 1 },
        },
      ];
    } finally {
      await target.service.dispose();
    }
  },
};
