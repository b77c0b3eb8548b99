import type { WrappedServiceKey } from "@stile/core/ports/service-keys";
import { DatabaseProblem } from "../engine/database-problem.ts";
import { type PostgresPrograms, runProgram } from "./postgres-programs.ts";

/** A line of an archive's table of contents that names an object in a schema. */
type ArchiveEntry = {
  readonly line: string;
  readonly kind: string;
  readonly schema: string;
  readonly name: string;
};

/**
 * The content of a PostgreSQL backup: schema, last migration, wrapped keys, and the objects to
 * restore.
 */
export type PostgresArchive = {
  readonly schema: string;
  readonly step: number;
  readonly serviceKeys: readonly Pick<WrappedServiceKey, "keyId" | "wrapped">[];
  /**
   * Lines for `pg_restore --use-list`: the objects that the service created, without those of the
   * database around it.
   */
  readonly list: string;
};

/** The service did not create these objects, and its role may lack the right to create them. */
const FOREIGN = new Set([
  "SCHEMA",
  "EXTENSION",
  "COMMENT",
  "ACL",
  "DATABASE",
  "DATABASE PROPERTIES",
  "EVENT TRIGGER",
]);
const ENTRY = /^\d+; \d+ \d+ ([A-Z][A-Z ]*[A-Z]) (\S+) (\S+)/;

/** A backup without these tables holds no installation, whatever its version. */
const NEEDED = [
  "migrations",
  "accounts",
  "sites",
  "secret_keys",
  "service_keys",
  "token_marks",
  "challenge_marks",
];

function readEntries(list: string): readonly ArchiveEntry[] {
  return list.split("\n").flatMap((line) => {
    const [, kind, schema, name] = ENTRY.exec(line) ?? [];
    return kind === undefined || schema === undefined || name === undefined
      ? []
      : [{ line, kind, schema, name }];
  });
}

/** The rows of a table in the archive's text, with values by column name. */
async function readTable(
  programs: PostgresPrograms,
  file: string,
  table: string,
): Promise<Record<string, string>[]> {
  const script = await runProgram(
    programs.pgRestore,
    ["--data-only", `--table=${table}`, "--file=-", file],
    {
      problem: `${file} can't be read`,
    },
  );
  const [, columns = "", rows = ""] =
    /^COPY \S+ \(([^)]*)\) FROM stdin;\n([\s\S]*?)^\\\.$/m.exec(script) ?? [];
  const names = columns.split(", ");
  return rows
    .split("\n")
    .filter((row) => row !== "")
    .map((row) => Object.fromEntries(row.split("\t").map((value, at) => [names[at] ?? "", value])));
}

/**
 * Opens a backup and reads all of it. Throws DatabaseProblem if it is damaged or not a backup of
 * the service.
 */
export async function readArchive(
  programs: PostgresPrograms,
  file: string,
): Promise<PostgresArchive> {
  const problem = `${file} can't be restored`;
  const entries = readEntries(await runProgram(programs.pgRestore, ["--list", file], { problem }));
  const missing = NEEDED.find(
    (name) => !entries.some((entry) => entry.kind === "TABLE" && entry.name === name),
  );
  if (missing !== undefined) throw new DatabaseProblem(`${problem}: it has no table ${missing}.`);
  // Reads every page, because damage deep in the file shows only this way.
  await runProgram(programs.pgRestore, ["--file=/dev/null", file], {
    problem: `${file} is damaged`,
  });
  const steps = (await readTable(programs, file, "migrations")).map(({ number }) => Number(number));
  const keys = await readTable(programs, file, "service_keys");
  if (keys.length === 0 && (await readTable(programs, file, "accounts")).length === 0)
    throw new DatabaseProblem(`${problem}: there is no installation in it.`);
  return {
    schema:
      entries.find(({ kind, name }) => kind === "TABLE" && name === "service_keys")?.schema ??
      "public",
    step: Math.max(0, ...steps),
    serviceKeys: keys.map(({ key_id, wrapped = "" }) => ({
      keyId: Number(key_id),
      wrapped: new Uint8Array(Buffer.from(wrapped.replace(/^\\+x/, ""), "hex")),
    })),
    list: entries
      .filter(({ kind }) => !FOREIGN.has(kind))
      .map(({ line }) => line)
      .join("\n"),
  };
}
