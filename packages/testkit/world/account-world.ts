import { randomBytes } from "node:crypto";
import type { Client, SignedIn } from "@stile/core/domain/account/signed-in";
import { parseIpAddress } from "@stile/core/domain/visitor/ip-address";
import type { StoredAuditEntry } from "@stile/core/ports/account/audit-log";
import type { Passwords, RelyingParty } from "@stile/core/ports/account/credentials";
import type { NetworkLists } from "@stile/core/ports/visitor/network-lists";
import type { NewSession } from "@stile/core/services/account/sign-in/enter";
import { acceptLink } from "@stile/core/use-cases/account/link/accept-link";
import { makeSetupLink } from "@stile/core/use-cases/account/link/make-setup-link";
import { inviteMember } from "@stile/core/use-cases/account/member/invite-member";
import { addPasskey, beginPasskey } from "@stile/core/use-cases/account/second-factor/add-passkey";
import { beginTotp, confirmTotp } from "@stile/core/use-cases/account/second-factor/enable-totp";
import { findSession } from "@stile/core/use-cases/account/session/find-session";
import { askPuzzle } from "@stile/core/use-cases/account/sign-in/ask-puzzle";
import { signInWithPassword } from "@stile/core/use-cases/account/sign-in/sign-in-with-password";
import type { Role } from "@stile/protocol/roles";
import { composeAccounts } from "@stile/server/compose/compose-accounts";
import { composePorts } from "@stile/server/compose/compose-ports";
import { createPasswords } from "@stile/server/cryptography/passwords";
import { createLog } from "@stile/server/telemetry/log";
import { Secret, TOTP } from "otpauth";
import { createMemoryStore } from "../memory-store/memory-store.ts";
import { solvePuzzle } from "../minting/puzzle-solving.ts";
import type { createAuthenticator } from "./authenticator.ts";
import { createClock, NOON_MS } from "./world.ts";

/** The account of the world's first owner. */
export const ACCOUNT_ID = "acc_world";
/** The password of every member of the world. */
export const PASSWORD = "correct horse battery";
/**
 * Real hashes at the least cost: tests are about who may try and how often, and they try thousands
 * of times.
 */
const LEAST_COST = { memory: 64, passes: 1, parallelism: 1 };
/** The dashboard's address. */
export const PARTY: RelyingParty = { origin: "https://stile.example", rpId: "stile.example" };

/** A browser at that address. */
export function clientAt(ip: string | undefined): Client {
  return { address: ip === undefined ? undefined : parseIpAddress(ip), device: "Chrome on Linux" };
}

/** The code that an authenticator app shows at that moment. */
export function codeAt(secret: string, nowMs: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: nowMs });
}

/** Work of a few milliseconds: tests only check that it is required. */
const EASY_PUZZLE = 64;

const NO_NETWORKS: NetworkLists = { find: () => ({ isDatacenter: false, isTor: false }) };

async function createPorts(passwords: Passwords) {
  const clock = createClock(NOON_MS);
  const store = createMemoryStore();
  const masterKey = randomBytes(32);
  const log = createLog("silent");
  const { ports } = await composePorts({ store, clock, masterKey, networkLists: NO_NETWORKS, log });
  return {
    clock,
    store,
    ports: {
      ...ports,
      ...composeAccounts(store, masterKey, ports.clock.nowMs),
      passwords,
      puzzleBase: EASY_PUZZLE,
    },
  };
}

/**
 * One account without members, real stores and real cryptography, with a clock that the test moves.
 */
export async function createAccountWorld({ hashCost }: { readonly hashCost?: "full" } = {}) {
  const { clock, store, ports } = await createPorts(
    hashCost === "full" ? createPasswords() : createPasswords(LEAST_COST),
  );
  const addAccount = async (accountId: string): Promise<void> => {
    const account = { accountId, name: `Account ${accountId}`, createdAtMs: clock.nowMs() };
    await store.sites.insertAccount({
      ...account,
      challengePerMinute: null,
      totalPerMinute: null,
    });
  };
  await addAccount(ACCOUNT_ID);
  let addresses = 0;
  /** A browser that the service has not seen before. */
  const newClient = (): Client => clientAt(`203.0.113.${++addresses}`);

  /** The work that a stranger's page does before it signs in. */
  const work = (client: Client) => solvePuzzle(askPuzzle(ports, client));

  const join = async (token: string, email: string): Promise<NewSession> => {
    const choice = { email, name: email.split("@")[0] ?? "", password: PASSWORD };
    const joined = await acceptLink(ports, token, choice, newClient());
    if (joined.kind !== "signed_in")
      throw new Error(`the owner could not join: ${JSON.stringify(joined)}`);
    return joined;
  };

  const refresh = async (token: string): Promise<SignedIn> => {
    const signedIn = await findSession(ports, token);
    if (signedIn === undefined) throw new Error("the session has ended");
    return signedIn;
  };

  return {
    clock,
    store,
    ports,
    addAccount,
    newClient,
    refresh,
    /** The account's first owner, signed in. */
    addOwner: async (email = "ada@example.org", accountId = ACCOUNT_ID): Promise<NewSession> => {
      const made = await makeSetupLink(ports, accountId);
      if (made === undefined) throw new Error("the account has members");
      return await join(made.token, email);
    },
    /** A further member, invited by an owner. */
    addMember: async (
      by: SignedIn,
      role: Role,
      email = `${role}@example.org`,
    ): Promise<NewSession> => {
      const invited = await inviteMember(ports, by, role);
      if (invited.kind !== "invited") throw new Error(invited.kind);
      return await join(invited.token, email);
    },
    work,
    signIn: (email: string, password = PASSWORD, client = newClient(), code?: string) =>
      signInWithPassword(ports, { email, password, code, puzzle: work(client) }, client),
    /**
     * Turns on the member's authenticator app; returns its secret in base32, and the recovery codes
     * that came with it.
     */
    enableTotp: async (session: Pick<NewSession, "token">) => {
      const signedIn = await refresh(session.token);
      const begun = beginTotp(ports, signedIn);
      if (begun.kind !== "begun") throw new Error(begun.kind);
      const { ticket, secret } = begun;
      const outcome = await confirmTotp(ports, signedIn, {
        ticket,
        code: codeAt(secret, clock.nowMs()),
      });
      if (outcome.kind !== "enabled") throw new Error(outcome.kind);
      return { secret, recoveryCodes: outcome.recoveryCodes ?? [] };
    },
    /** Registers the authenticator's passkey for the member. */
    enrol: async (session: NewSession, authenticator: ReturnType<typeof createAuthenticator>) => {
      const signedIn = await refresh(session.token);
      const { options, ticket } = await beginPasskey(ports, PARTY, signedIn);
      const response = authenticator.register(options);
      return await addPasskey(ports, PARTY, signedIn, { ticket, response, name: "Laptop" });
    },
    audit: (accountId = ACCOUNT_ID): Promise<readonly StoredAuditEntry[]> =>
      store.auditLog.list(accountId, { limit: 1000 }),
  };
}
