import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { NEWEST_TIMES } from "../../rows/newest-times.ts";
import { DatabaseProblem } from "../engine/database-problem.ts";
import {
  inspectPostgres,
  OTHER_SESSIONS,
  type PostgresFinding,
} from "../engine/inspect-postgres.ts";
import { MIGRATION_LOCK } from "../engine/migrate-postgres.ts";
import { DATABASE_NOW_MS } from "../engine/postgres-generation.ts";
import { OWN_FUNCTIONS, OWN_TABLES } from "../own-tables.ts";
import { POSTGRES_MIGRATIONS } from "../schema/postgres-schema.ts";
import { withLibpqEnvironment } from "./libpq-environment.ts";
import { type PostgresArchive, readArchive } from "./postgres-archive.ts";
import {
  findPostgresPrograms,
  firstWords,
  type PostgresPrograms,
  type ProgramVariables,
  startProgram,
} from "./postgres-programs.ts";

const RUNNING =
  "A node or a command runs on the database of STILE_DATABASE_URL. Stop all of them, and run this again.";
/** The message of the script's own check, which distinguishes it from other errors. */
const SEEN_RUNNING = "stile: a node runs";

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(", ");

/**
 * Takes the lock of a starting node until the end. A node that starts meanwhile waits and finds the
 * restored database.
 */
const BEGIN = `BEGIN;
SET LOCAL lock_timeout = '10s';
SELECT pg_advisory_xact_lock(${MIGRATION_LOCK});
DO $$ DECLARE
  of_service RECORD;
BEGIN
  IF (${OTHER_SESSIONS}) > 0 THEN RAISE EXCEPTION '${SEEN_RUNNING}'; END IF;
  FOR of_service IN SELECT oid::REGCLASS AS name FROM pg_class
    WHERE relnamespace = current_schema()::REGNAMESPACE AND relkind IN ('r', 'p') AND relname IN (${quoted(OWN_TABLES)})
  LOOP
    EXECUTE format('DROP TABLE %s CASCADE', of_service.name);
  END LOOP;
  FOR of_service IN SELECT oid::REGPROCEDURE AS name FROM pg_proc
    WHERE pronamespace = current_schema()::REGNAMESPACE AND proname IN (${quoted(OWN_FUNCTIONS)})
  LOOP
    EXECUTE format('DROP FUNCTION %s CASCADE', of_service.name);
  END LOOP;
END $$;
`;

const nameOf = (schema: string, table: string): string =>
  `"${schema.replaceAll('"', '""')}".${table}`;

/**
 * Ends the restore (decision 0010, retired keys). The backup does not know what was spent later, so
 * all service keys are retired. With an empty engine, a node that runs unseen finds another run
 * than the one it knows. The backup does not know either which sessions ended and which links were
 * used, so all are removed. Times ahead of the database's clock are reset.
 */
const end = (schema: string): string => {
  const waysIn = ["sessions", "links"].map((table) => {
    const name = nameOf(schema, table);
    return `IF to_regclass('${name.replaceAll("'", "''")}') IS NOT NULL THEN DELETE FROM ${name}; END IF;`;
  });
  const times = NEWEST_TIMES.map(({ table, column }) => {
    return `UPDATE ${nameOf(schema, table)} SET ${column} = ${DATABASE_NOW_MS} WHERE ${column} > ${DATABASE_NOW_MS};`;
  });
  return `
UPDATE ${nameOf(schema, "service_keys")} SET is_retired = TRUE;
UPDATE ${nameOf(schema, "generations")} SET engine = '';
${times.join("\n")}
DO $$ BEGIN ${waysIn.join(" ")} END $$;
COMMIT;
`;
};

/**
 * With this option, psql runs no line of the script as its own command, such as one that starts a
 * program. An attacker who wrote the file could choose such lines (CVE-2025-8715). Programs without
 * the option stop here.
 */
const RESTRICT = "--restrict-key";
const TOO_OLD =
  "The pg_restore found here is too old to be safe: a backup could have it run commands on this machine. Install the newest one of its " +
  "version (13.22, 14.19, 15.14, 16.10, 17.6 or later).";

/** Sends the archive as a script through one session, in one transaction. */
async function replay(
  programs: PostgresPrograms,
  variables: ProgramVariables,
  file: string,
  { schema, list }: PostgresArchive,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "stile-restore-"));
  try {
    const listFile = join(folder, "list");
    writeFileSync(listFile, `${list}\n`);
    const session = startProgram(
      programs.psql,
      [
        "--no-psqlrc",
        "--quiet",
        "--no-password",
        "--set=ON_ERROR_STOP=1",
        "--output=/dev/null",
        "--file=-",
      ],
      { ...variables, PGAPPNAME: "stile-restore" },
    );
    const key = randomBytes(16).toString("hex");
    const script = startProgram(
      programs.pgRestore,
      [
        "--no-owner",
        "--no-privileges",
        `${RESTRICT}=${key}`,
        `--use-list=${listFile}`,
        "--file=-",
        file,
      ],
      {},
    );
    script.stdin.end();
    session.stdout.resume();
    session.stdin.write(BEGIN);
    script.stdout.pipe(session.stdin, { end: false });
    const made = await script.ended;
    // Without its end, the transaction does nothing.
    session.stdin.end(made.code === 0 ? end(schema) : "\nROLLBACK;\n");
    const { code, stderr } = await session.ended;
    if (stderr.includes(SEEN_RUNNING)) throw new DatabaseProblem(RUNNING);
    if (made.code !== 0 && made.stderr.includes(RESTRICT)) throw new DatabaseProblem(TOO_OLD);
    if (code !== 0 || made.code !== 0) {
      const words = firstWords(code === 0 ? made.stderr : stderr);
      throw new DatabaseProblem(
        `${file} was not restored, and the database is unchanged (${words}).`,
      );
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Throws DatabaseProblem for a backup with later, unknown tables, because we cannot check whether
 * it is complete.
 */
function checkVersion({ step }: PostgresArchive, file: string): void {
  const known = POSTGRES_MIGRATIONS.length;
  if (step <= known) return;
  throw new DatabaseProblem(
    `${file} was made with a newer version of Stile (its tables are at step ${step}, this version knows ${known}); ` +
      "restore it with that version or a later one.",
  );
}

/** Throws DatabaseProblem if the database cannot receive the backup. */
function checkTarget(found: PostgresFinding, archive: PostgresArchive, mayReplace: boolean): void {
  if (found.sessions > 0) throw new DatabaseProblem(RUNNING);
  if (found.step > POSTGRES_MIGRATIONS.length) {
    throw new DatabaseProblem(
      "The database of STILE_DATABASE_URL is of a newer version of Stile; use that version, or name an empty database.",
    );
  }
  if (!found.isEmpty && !mayReplace) {
    throw new DatabaseProblem(
      "There is an installation in the database of STILE_DATABASE_URL. Name an empty one, or add --replace, which deletes it: back it up before.",
    );
  }
  if (found.schema !== archive.schema) {
    throw new DatabaseProblem(
      `The backup is of the schema "${archive.schema}", and STILE_DATABASE_URL uses "${found.schema}"; set its user's search_path to the former.`,
    );
  }
}

/**
 * Restores a backup into an empty database, or over an installation if `mayReplace`. One
 * transaction restores it and retires all service keys. No node may run. `check` gets the backup's
 * wrapped keys before anything changes, and may throw. Throws DatabaseProblem; then the database is
 * unchanged.
 */
export async function restorePostgres(
  url: string,
  file: string,
  mayReplace: boolean,
  check: (archive: PostgresArchive) => void,
): Promise<void> {
  const finding = await inspectPostgres(url);
  const programs = findPostgresPrograms(finding.major);
  const archive = await readArchive(programs, file);
  checkVersion(archive, file);
  checkTarget(finding, archive, mayReplace);
  check(archive);
  await withLibpqEnvironment(url, (variables) => replay(programs, variables, file, archive));
}
