import type { DatabaseSync } from "node:sqlite";
import type { Member, Passkey } from "@stile/core/domain/account/member";
import { prepareSelect } from "../engine/select.ts";

type MemberRow = Omit<Member, "totp" | "passkeys" | "recoveryCodes"> & {
  readonly totpSecret: Uint8Array | null;
  readonly totpLastStep: number | null;
  readonly recoveryCodes: string;
};

type PasskeyRow = Omit<Passkey, "transports"> & { readonly transports: string };

const MEMBER_COLUMNS = `user_id AS userId, account_id AS accountId, email, name, role, password_hash AS passwordHash,
  totp_secret AS totpSecret, totp_last_step AS totpLastStep, recovery_codes AS recoveryCodes, created_at_ms AS createdAtMs,
  last_sign_in_at_ms AS lastSignInAtMs, revision`;

/** Reads whole members; every method is one or a few synchronous queries. */
export function createMemberReader(database: DatabaseSync) {
  const selectMember = prepareSelect<MemberRow>(
    database,
    `SELECT ${MEMBER_COLUMNS} FROM members WHERE user_id = ?`,
  );
  const selectByEmail = prepareSelect<MemberRow>(
    database,
    `SELECT ${MEMBER_COLUMNS} FROM members WHERE email = ?`,
  );
  const selectByPasskey = prepareSelect<MemberRow>(
    database,
    `SELECT ${MEMBER_COLUMNS} FROM members WHERE user_id = (SELECT user_id FROM passkeys WHERE passkey_id = ?)`,
  );
  const selectMembers = prepareSelect<MemberRow>(
    database,
    `SELECT ${MEMBER_COLUMNS} FROM members WHERE account_id = ? ORDER BY name, email`,
  );
  const selectPasskeys = prepareSelect<PasskeyRow>(
    database,
    `SELECT passkey_id AS passkeyId, name, public_key AS publicKey, counter, transports, created_at_ms AS createdAtMs,
      last_used_at_ms AS lastUsedAtMs FROM passkeys WHERE user_id = ? ORDER BY position`,
  );

  const toMember = (row: MemberRow): Member => {
    const { totpSecret, totpLastStep, recoveryCodes, ...columns } = row;
    return {
      ...columns,
      totp: totpSecret === null ? null : { sealedSecret: totpSecret, lastStep: totpLastStep ?? 0 },
      recoveryCodes: JSON.parse(recoveryCodes),
      passkeys: selectPasskeys.all(columns.userId).map(({ transports, ...passkey }) => ({
        ...passkey,
        transports: JSON.parse(transports),
      })),
    };
  };
  const toMemberIfAny = (row: MemberRow | undefined): Member | undefined => row && toMember(row);

  return {
    findMember: (userId: string) => toMemberIfAny(selectMember.get(userId)),
    findMemberByEmail: (email: string) => toMemberIfAny(selectByEmail.get(email)),
    findMemberByPasskey: (passkeyId: string) => toMemberIfAny(selectByPasskey.get(passkeyId)),
    listMembers: (accountId: string) => selectMembers.all(accountId).map(toMember),
  };
}

function prepareStatements(database: DatabaseSync) {
  return {
    insertMember: database.prepare(
      `INSERT INTO members (email, name, role, password_hash, totp_secret, totp_last_step, recovery_codes,
        last_sign_in_at_ms, revision, user_id, account_id, created_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    updateMember: database.prepare(
      `UPDATE members SET email = ?, name = ?, role = ?, password_hash = ?, totp_secret = ?, totp_last_step = ?,
        recovery_codes = ?, last_sign_in_at_ms = ?, revision = ? WHERE user_id = ?`,
    ),
    removeMember: database.prepare("DELETE FROM members WHERE user_id = ?"),
    removePasskeys: database.prepare("DELETE FROM passkeys WHERE user_id = ?"),
    insertPasskey: database.prepare(
      `INSERT INTO passkeys (passkey_id, user_id, position, name, public_key, counter, transports, created_at_ms,
        last_used_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    selectEmail: database.prepare("SELECT 1 FROM members WHERE email = ? AND user_id <> ?"),
    selectPasskey: database.prepare("SELECT 1 FROM passkeys WHERE passkey_id = ? AND user_id <> ?"),
    selectOtherOwner: database.prepare(
      "SELECT 1 FROM members WHERE account_id = ? AND role = 'owner' AND user_id <> ?",
    ),
    selectAny: database.prepare("SELECT 1 FROM members WHERE account_id = ?"),
    removeOtherSessions: database.prepare(
      "DELETE FROM sessions WHERE user_id = ? AND session_id <> ?",
    ),
  };
}

/** Writes whole members. Call these within a transaction. */
export function createMemberWriter(database: DatabaseSync) {
  const statements = prepareStatements(database);

  const insertPasskeys = ({ userId, passkeys }: Member): void => {
    for (const [position, key] of passkeys.entries()) {
      const { passkeyId, name, publicKey, counter, transports, createdAtMs, lastUsedAtMs } = key;
      const transportsText = JSON.stringify(transports);
      statements.insertPasskey.run(
        passkeyId,
        userId,
        position,
        name,
        publicKey,
        counter,
        transportsText,
        createdAtMs,
        lastUsedAtMs,
      );
    }
  };
  const changingColumns = (member: Member) => {
    const { email, name, role, passwordHash, totp, recoveryCodes, lastSignInAtMs, revision } =
      member;
    const [secret, lastStep] = [totp?.sealedSecret ?? null, totp?.lastStep ?? null];
    const codes = JSON.stringify(recoveryCodes);
    return [
      email,
      name,
      role,
      passwordHash,
      secret,
      lastStep,
      codes,
      lastSignInAtMs,
      revision,
    ] as const;
  };

  return {
    hasMembers: (accountId: string): boolean => statements.selectAny.get(accountId) !== undefined,
    isEmailTaken: ({ email, userId }: Member): boolean =>
      statements.selectEmail.get(email, userId) !== undefined,
    hasForeignPasskey: ({ passkeys, userId }: Member): boolean =>
      passkeys.some(
        ({ passkeyId }) => statements.selectPasskey.get(passkeyId, userId) !== undefined,
      ),
    /** Whether the account would have no owner if this member stopped being one. */
    isLastOwner: ({ role, accountId, userId }: Member): boolean =>
      role === "owner" && statements.selectOtherOwner.get(accountId, userId) === undefined,
    insertMember: (member: Member): void => {
      const { userId, accountId, createdAtMs } = member;
      statements.insertMember.run(...changingColumns(member), userId, accountId, createdAtMs);
      insertPasskeys(member);
    },
    updateMember: (member: Member): void => {
      statements.updateMember.run(...changingColumns(member), member.userId);
      statements.removePasskeys.run(member.userId);
      insertPasskeys(member);
    },
    removeMember: (userId: string): void => {
      statements.removeMember.run(userId);
    },
    /** Ends all sessions of the member but the named one; returns how many. */
    endSessions: (userId: string, keptSessionId = ""): number =>
      Number(statements.removeOtherSessions.run(userId, keptSessionId).changes),
  };
}
