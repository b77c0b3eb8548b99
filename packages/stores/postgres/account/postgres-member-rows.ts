import type { Member, Passkey } from "@stile/core/domain/account/member";
import type { Query } from "../engine/database.ts";

type PostgresMemberRow = Omit<Member, "totp" | "passkeys" | "recoveryCodes"> & {
  readonly totpSecret: Uint8Array | null;
  readonly totpLastStep: number | null;
  readonly recoveryCodes: string;
  readonly passkeys: readonly PostgresPasskeyRow[];
};

/** A passkey in the JSON of the query: bytes are hexadecimal, and lists are text. */
type PostgresPasskeyRow = Omit<Passkey, "transports" | "publicKey"> & {
  readonly transports: string;
  readonly publicKey: string;
};

/**
 * Reads members together with their passkeys in one statement, so that each is read as it was
 * written.
 */
const MEMBERS = `SELECT user_id AS "userId", account_id AS "accountId", email, name, role, password_hash AS "passwordHash",
  totp_secret AS "totpSecret", totp_last_step AS "totpLastStep", recovery_codes AS "recoveryCodes",
  created_at_ms AS "createdAtMs", last_sign_in_at_ms AS "lastSignInAtMs", revision,
  (SELECT coalesce(json_agg(json_build_object('passkeyId', p.passkey_id, 'name', p.name,
    'publicKey', encode(p.public_key, 'hex'), 'counter', p.counter, 'transports', p.transports,
    'createdAtMs', p.created_at_ms, 'lastUsedAtMs', p.last_used_at_ms) ORDER BY p.position), '[]')
    FROM passkeys p WHERE p.user_id = members.user_id) AS passkeys
  FROM members`;

function toMember(row: PostgresMemberRow): Member {
  const { totpSecret, totpLastStep, recoveryCodes, passkeys, ...columns } = row;
  return {
    ...columns,
    totp: totpSecret === null ? null : { sealedSecret: totpSecret, lastStep: totpLastStep ?? 0 },
    recoveryCodes: JSON.parse(recoveryCodes),
    passkeys: passkeys.map(({ transports, publicKey, ...passkey }) => ({
      ...passkey,
      publicKey: new Uint8Array(Buffer.from(publicKey, "hex")),
      transports: JSON.parse(transports),
    })),
  };
}

async function selectMembers(
  query: Query,
  where: string,
  value: string,
): Promise<readonly Member[]> {
  return (await query<PostgresMemberRow>(`${MEMBERS} ${where}`, [value])).rows.map(toMember);
}

const isAny = async (query: Query, sql: string, values: readonly unknown[]): Promise<boolean> =>
  (await query(sql, values)).count > 0;

/** Reads whole members. */
export const MEMBER_READER = {
  findMember: async (query: Query, userId: string) =>
    (await selectMembers(query, "WHERE user_id = $1", userId))[0],
  findMemberByEmail: async (query: Query, email: string) =>
    (await selectMembers(query, "WHERE email = $1", email))[0],
  findMemberByPasskey: async (query: Query, passkeyId: string) =>
    (
      await selectMembers(
        query,
        "WHERE user_id = (SELECT user_id FROM passkeys WHERE passkey_id = $1)",
        passkeyId,
      )
    )[0],
  listMembers: (query: Query, accountId: string) =>
    selectMembers(query, "WHERE account_id = $1 ORDER BY name, email", accountId),
};

async function insertPasskeys(query: Query, { userId, passkeys }: Member): Promise<void> {
  for (const [position, key] of passkeys.entries()) {
    const { passkeyId, name, publicKey, counter, transports, createdAtMs, lastUsedAtMs } = key;
    await query(
      `INSERT INTO passkeys (passkey_id, user_id, position, name, public_key, counter, transports, created_at_ms,
        last_used_at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [
        passkeyId,
        userId,
        position,
        name,
        publicKey,
        counter,
        JSON.stringify(transports),
        createdAtMs,
        lastUsedAtMs,
      ],
    );
  }
}

function changingColumns(member: Member): readonly unknown[] {
  const { email, name, role, passwordHash, totp, recoveryCodes, lastSignInAtMs, revision } = member;
  const [secret, lastStep] = [totp?.sealedSecret ?? null, totp?.lastStep ?? null];
  return [
    email,
    name,
    role,
    passwordHash,
    secret,
    lastStep,
    JSON.stringify(recoveryCodes),
    lastSignInAtMs,
    revision,
  ];
}

/**
 * Writes whole members, and answers the questions of such a write. Call these in turn (`inTurn`).
 */
export const MEMBER_WRITER = {
  hasMembers: (query: Query, accountId: string) =>
    isAny(query, "SELECT FROM members WHERE account_id = $1 LIMIT 1", [accountId]),
  isEmailTaken: (query: Query, { email, userId }: Member) =>
    isAny(query, "SELECT FROM members WHERE email = $1 AND user_id <> $2", [email, userId]),
  hasForeignPasskey: (query: Query, { passkeys, userId }: Member) =>
    isAny(query, "SELECT FROM passkeys WHERE passkey_id = ANY ($1::text[]) AND user_id <> $2", [
      passkeys.map(({ passkeyId }) => passkeyId),
      userId,
    ]),
  /** Whether the account would have no owner if this member stopped being one. */
  isLastOwner: async (query: Query, { role, accountId, userId }: Member) =>
    role === "owner" &&
    !(await isAny(
      query,
      "SELECT FROM members WHERE account_id = $1 AND role = 'owner' AND user_id <> $2 LIMIT 1",
      [accountId, userId],
    )),
  insertMember: async (query: Query, member: Member): Promise<void> => {
    await query(
      `INSERT INTO members (email, name, role, password_hash, totp_secret, totp_last_step, recovery_codes,
        last_sign_in_at_ms, revision, user_id, account_id, created_at_ms)
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`,
      [...changingColumns(member), member.userId, member.accountId, member.createdAtMs],
    );
    await insertPasskeys(query, member);
  },
  updateMember: async (query: Query, member: Member): Promise<void> => {
    await query(
      `UPDATE members SET email = $1, name = $2, role = $3, password_hash = $4, totp_secret = $5, totp_last_step = $6,
        recovery_codes = $7, last_sign_in_at_ms = $8, revision = $9 WHERE user_id = $10`,
      [...changingColumns(member), member.userId],
    );
    await query("DELETE FROM passkeys WHERE user_id = $1", [member.userId]);
    await insertPasskeys(query, member);
  },
  /** Ends all sessions of the member except the kept one. Returns how many ended. */
  endSessions: async (query: Query, userId: string, keptSessionId = ""): Promise<number> =>
    (
      await query("DELETE FROM sessions WHERE user_id = $1 AND session_id <> $2", [
        userId,
        keptSessionId,
      ])
    ).count,
};
