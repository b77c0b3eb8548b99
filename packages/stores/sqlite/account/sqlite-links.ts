import type { DatabaseSync } from "node:sqlite";
import { countPlaces, isBacked, type Link } from "@stile/core/domain/account/link";
import type { Member } from "@stile/core/domain/account/member";
import type { Links, LinkUse } from "@stile/core/ports/account/links";
import { retryWhileBusy } from "../engine/busy.ts";
import type { Writer } from "../engine/group-commit.ts";
import { prepareSelect } from "../engine/select.ts";
import { SWEEP_STEP_ROWS } from "../engine/spent-sweep.ts";
import { inSteps } from "../sqlite-housekeeping.ts";
import { createMemberReader, createMemberWriter } from "./member-rows.ts";
import { createAuditWriter } from "./sqlite-audit-log.ts";

const LINK_COLUMNS = `link_id AS linkId, token_digest AS tokenDigest, purpose, account_id AS accountId, user_id AS userId,
  role, removes_second_factors AS removesSecondFactors, made_by AS madeBy, created_at_ms AS createdAtMs, expires_at_ms AS expiresAtMs`;

/** SQLite has no booleans. */
type LinkRow = Omit<Link, "removesSecondFactors"> & { readonly removesSecondFactors: number };

function toLink({ removesSecondFactors, ...link }: LinkRow): Link {
  return { ...link, removesSecondFactors: removesSecondFactors === 1 };
}

function prepareStatements(database: DatabaseSync) {
  return {
    insert: database.prepare(
      `INSERT INTO links (link_id, token_digest, purpose, account_id, user_id, role, removes_second_factors,
        made_by, created_at_ms, expires_at_ms) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ),
    removeFormer: database.prepare(
      "DELETE FROM links WHERE account_id = ? AND purpose = ? AND user_id IS ?",
    ),
    selectByToken: prepareSelect<LinkRow>(
      database,
      `SELECT ${LINK_COLUMNS} FROM links WHERE token_digest = ?`,
    ),
    selectLiving: prepareSelect<LinkRow>(
      database,
      `SELECT ${LINK_COLUMNS} FROM links WHERE account_id = ? AND expires_at_ms > ? AND purpose <> 'reset'
        ORDER BY created_at_ms DESC, link_id`,
    ),
    remove: database.prepare("DELETE FROM links WHERE account_id = ? AND link_id = ?"),
    countTry: database.prepare(
      "UPDATE links SET tries = tries + 1 WHERE token_digest = ? AND tries < ?",
    ),
    use: database.prepare("DELETE FROM links WHERE token_digest = ?"),
    removeOver: database.prepare(
      `DELETE FROM links WHERE link_id IN (SELECT link_id FROM links WHERE expires_at_ms <= ? LIMIT ${SWEEP_STEP_ROWS})`,
    ),
  };
}

/** One-time links in SQLite. */
export function createSqliteLinks(
  database: DatabaseSync,
  writer: Writer,
  now: () => number,
): Links {
  const statements = prepareStatements(database);
  const members = { ...createMemberReader(database), ...createMemberWriter(database) };
  const audit = createAuditWriter(database);

  const findLink = (tokenDigest: string): Link | undefined => {
    const row = statements.selectByToken.get(tokenDigest);
    return row && toLink(row);
  };
  const findLiving = (tokenDigest: string, nowMs: number): Link | undefined => {
    const link = findLink(tokenDigest);
    if (link === undefined || nowMs >= link.expiresAtMs) return undefined;
    return isBacked(link, members.findMember(link.madeBy ?? "")) ? link : undefined;
  };
  const listLiving = (accountId: string, nowMs: number): readonly Link[] =>
    statements.selectLiving.all(accountId, nowMs).map(toLink);
  const countAll = ({ accountId, createdAtMs }: Link): number =>
    countPlaces(listLiving(accountId, createdAtMs), members.listMembers(accountId));
  const isObsolete = ({ purpose, accountId }: Link): boolean =>
    purpose === "setup" && members.hasMembers(accountId);

  return {
    insertLink: (link, entry, most = Number.POSITIVE_INFINITY) =>
      writer.writeThrough(() => {
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
        const isRepeat = statements.remove.run(accountId, linkId).changes === 1;
        if (!isRepeat && most < Number.POSITIVE_INFINITY && countAll(link) >= most) return false;
        const removes = Number(link.removesSecondFactors);
        if (purpose !== "invite") statements.removeFormer.run(accountId, purpose, userId);
        const ofWhom = [
          linkId,
          tokenDigest,
          purpose,
          accountId,
          userId,
          role,
          removes,
          madeBy,
        ] as const;
        statements.insert.run(...ofWhom, createdAtMs, expiresAtMs);
        if (entry !== undefined && !isRepeat) audit(entry);
        return true;
      }),
    findLink: (tokenDigest) => retryWhileBusy(() => findLink(tokenDigest), now),
    listLinks: (accountId, nowMs) => retryWhileBusy(() => listLiving(accountId, nowMs), now),
    removeLink: (accountId, linkId, entry) =>
      writer.writeThrough(() => {
        if (statements.remove.run(accountId, linkId).changes === 0) return false;
        audit(entry);
        return true;
      }),
    countTry: (tokenDigest, most) =>
      writer.write(() => statements.countTry.run(tokenDigest, most).changes === 1),
    join: (tokenDigest, nowMs, member, entry) =>
      writer.writeThrough((): LinkUse => {
        const link = findLiving(tokenDigest, nowMs);
        if (link === undefined || isObsolete(link)) return "link_gone";
        if (members.isEmailTaken(member)) return "email_taken";
        statements.use.run(tokenDigest);
        members.insertMember(member);
        audit(entry);
        return "stored";
      }),
    reset: (tokenDigest, nowMs, member: Member, expectedRevision, entry) =>
      writer.writeThrough((): LinkUse => {
        if (findLiving(tokenDigest, nowMs) === undefined) return "link_gone";
        if (members.findMember(member.userId)?.revision !== expectedRevision) return "conflict";
        statements.use.run(tokenDigest);
        members.updateMember(member);
        members.endSessions(member.userId);
        audit(entry);
        return "stored";
      }),
    prune: (nowMs) => inSteps(writer, () => Number(statements.removeOver.run(nowMs).changes)),
  };
}
