import { countPlaces, isBacked, type Link } from "@stile/core/domain/account/link";
import type { Links, LinkUse } from "@stile/core/ports/account/links";
import type { DatabaseConnections, Query } from "../engine/database.ts";
import { inTurn } from "../engine/in-turn.ts";
import { deleteInSteps } from "../postgres-housekeeping.ts";
import { writeAudit } from "./postgres-audit-log.ts";
import { MEMBER_READER, MEMBER_WRITER as members } from "./postgres-member-rows.ts";

const LINKS = `SELECT link_id AS "linkId", token_digest AS "tokenDigest", purpose, account_id AS "accountId",
  user_id AS "userId", role, removes_second_factors AS "removesSecondFactors", made_by AS "madeBy", created_at_ms AS "createdAtMs",
  expires_at_ms AS "expiresAtMs" FROM links`;
const INSERT = `INSERT INTO links (link_id, token_digest, purpose, account_id, user_id, role, removes_second_factors,
  made_by, created_at_ms, expires_at_ms) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
const REMOVE_FORMER =
  "DELETE FROM links WHERE account_id = $1 AND purpose = $2 AND user_id IS NOT DISTINCT FROM $3::text";
const LIVING =
  "WHERE account_id = $1 AND expires_at_ms > $2 AND purpose <> 'reset' ORDER BY created_at_ms DESC, link_id";
const REMOVE = "DELETE FROM links WHERE account_id = $1 AND link_id = $2";
const REMOVE_OVER = `DELETE FROM links WHERE link_id IN
  (SELECT link_id FROM links WHERE expires_at_ms <= $2 LIMIT $1)`;

async function findLink(query: Query, tokenDigest: string): Promise<Link | undefined> {
  return (await query<Link>(`${LINKS} WHERE token_digest = $1`, [tokenDigest])).rows[0];
}

async function findLiving(
  query: Query,
  tokenDigest: string,
  nowMs: number,
): Promise<Link | undefined> {
  const link = await findLink(query, tokenDigest);
  if (link === undefined || nowMs >= link.expiresAtMs) return undefined;
  const maker =
    link.madeBy === null ? undefined : await MEMBER_READER.findMember(query, link.madeBy);
  return isBacked(link, maker) ? link : undefined;
}

async function listLiving(
  query: Query,
  accountId: string,
  nowMs: number,
): Promise<readonly Link[]> {
  return (await query<Link>(`${LINKS} ${LIVING}`, [accountId, nowMs])).rows;
}

async function countAll(query: Query, { accountId, createdAtMs }: Link): Promise<number> {
  return countPlaces(
    await listLiving(query, accountId, createdAtMs),
    await MEMBER_READER.listMembers(query, accountId),
  );
}

async function isObsolete(query: Query, { purpose, accountId }: Link): Promise<boolean> {
  return purpose === "setup" && (await members.hasMembers(query, accountId));
}

async function use(query: Query, tokenDigest: string): Promise<void> {
  await query("DELETE FROM links WHERE token_digest = $1", [tokenDigest]);
}

/** One-time links in PostgreSQL. */
export function createPostgresLinks(calls: DatabaseConnections, jobs: DatabaseConnections): Links {
  return {
    insertLink: (link, entry, most = Number.POSITIVE_INFINITY) =>
      inTurn(calls, async (query) => {
        const {
          linkId,
          tokenDigest,
          purpose,
          accountId,
          userId,
          role,
          madeBy,
          createdAtMs,
          expiresAtMs,
        } = link;
        const isRepeat = (await query(REMOVE, [accountId, linkId])).count === 1;
        if (!isRepeat && most < Number.POSITIVE_INFINITY && (await countAll(query, link)) >= most)
          return false;
        if (purpose !== "invite") await query(REMOVE_FORMER, [accountId, purpose, userId]);
        const removes = link.removesSecondFactors;
        const ofWhom = [linkId, tokenDigest, purpose, accountId, userId, role, removes, madeBy];
        await query(INSERT, [...ofWhom, createdAtMs, expiresAtMs]);
        if (!isRepeat) await writeAudit(query, entry);
        return true;
      }),
    findLink: (tokenDigest) => findLink(calls.read, tokenDigest),
    listLinks: (accountId, nowMs) => listLiving(calls.read, accountId, nowMs),
    removeLink: (accountId, linkId, entry) =>
      inTurn(calls, async (query) => {
        if ((await query(REMOVE, [accountId, linkId])).count === 0) return false;
        await writeAudit(query, entry);
        return true;
      }),
    countTry: async (tokenDigest, most) => {
      const count = "UPDATE links SET tries = tries + 1 WHERE token_digest = $1 AND tries < $2";
      return (await calls.write(count, [tokenDigest, most])).count === 1;
    },
    join: (tokenDigest, nowMs, member, entry) =>
      inTurn(calls, async (query): Promise<LinkUse> => {
        const link = await findLiving(query, tokenDigest, nowMs);
        if (link === undefined || (await isObsolete(query, link))) return "link_gone";
        if (await members.isEmailTaken(query, member)) return "email_taken";
        await use(query, tokenDigest);
        await members.insertMember(query, member);
        await writeAudit(query, entry);
        return "stored";
      }),
    reset: (tokenDigest, nowMs, member, expectedRevision, entry) =>
      inTurn(calls, async (query): Promise<LinkUse> => {
        if ((await findLiving(query, tokenDigest, nowMs)) === undefined) return "link_gone";
        const stored = await MEMBER_READER.findMember(query, member.userId);
        if (stored?.revision !== expectedRevision) return "conflict";
        await use(query, tokenDigest);
        await members.updateMember(query, member);
        await members.endSessions(query, member.userId);
        await writeAudit(query, entry);
        return "stored";
      }),
    prune: (nowMs) => deleteInSteps(jobs, REMOVE_OVER, [nowMs]),
  };
}
