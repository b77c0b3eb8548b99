import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { DatabaseProblem } from "../engine/database-problem.ts";
import { environmentForPrograms } from "./program-environment.ts";

/** PostgreSQL's own programs, of one version. */
export type PostgresPrograms = {
  readonly pgDump: string;
  readonly pgRestore: string;
  readonly psql: string;
};

/** Environment variables for settings that a program does not take as arguments. */
export type ProgramVariables = Readonly<Record<string, string>>;

const DEBIAN_FOLDER = "/usr/lib/postgresql";

/** The folders that may contain the programs, those of PATH first. */
function foldersOf(path: string): readonly string[] {
  const versions = existsSync(DEBIAN_FOLDER) ? readdirSync(DEBIAN_FOLDER) : [];
  const ofDebian = versions.map((version) => join(DEBIAN_FOLDER, version, "bin"));
  return [...path.split(delimiter).filter((folder) => folder !== ""), ...ofDebian];
}

/** The major version of the program; undefined if it does not run. */
function versionOf(program: string): number | undefined {
  const { status, stdout } = spawnSync(program, ["--version"], {
    encoding: "utf8",
    env: environmentForPrograms(),
  });
  const [, major] = (status === 0 && / (\d+)[.\w]*(?: |$)/m.exec(stdout)) || [];
  return major === undefined ? undefined : Number(major);
}

/** The programs in that folder; undefined if one is missing. */
function programsIn(folder: string): PostgresPrograms | undefined {
  const programs = {
    pgDump: join(folder, "pg_dump"),
    pgRestore: join(folder, "pg_restore"),
    psql: join(folder, "psql"),
  };
  return Object.values(programs).every((file) => existsSync(file)) ? programs : undefined;
}

/**
 * Finds the programs of the server's version, or else of the next higher installed version. Throws
 * DatabaseProblem, which says what to install.
 */
export function findPostgresPrograms(
  serverMajor: number,
  path: string = process.env.PATH ?? "",
): PostgresPrograms {
  let best: { readonly version: number; readonly programs: PostgresPrograms } | undefined;
  for (const folder of foldersOf(path)) {
    const programs = programsIn(folder);
    const version = programs && versionOf(programs.pgDump);
    if (programs === undefined || version === undefined || version < serverMajor) continue;
    // The search ends here: no other version is better, and Debian's programs are slow to print
    // their version.
    if (version === serverMajor) return programs;
    if (best === undefined || version < best.version) best = { version, programs };
  }
  if (best !== undefined) return best.programs;
  throw new DatabaseProblem(
    `This needs pg_dump, pg_restore and psql of PostgreSQL ${serverMajor} or newer, and found none. Install them on this machine ` +
      `(not in the container image: use a checkout next to it), for example with: apt-get install postgresql-client-${serverMajor}`,
  );
}

/**
 * A running program: its input, its output, and, once it has ended, its exit code and standard
 * error.
 */
export type RunningProgram = {
  readonly stdin: NodeJS.WritableStream;
  readonly stdout: NodeJS.ReadableStream;
  readonly ended: Promise<{ readonly code: number | null; readonly stderr: string }>;
};

/**
 * Starts a program with these variables and the part of the environment that programs may see.
 * `stderr` is its standard error.
 */
export function startProgram(
  program: string,
  args: readonly string[],
  variables: ProgramVariables,
): RunningProgram {
  const child = spawn(program, [...args], {
    stdio: ["pipe", "pipe", "pipe"],
    env: { ...environmentForPrograms(), LC_ALL: "C", ...variables },
  });
  let stderr = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  // A program that ended early accepts no more input. Its exit code reports that.
  child.stdin.on("error", () => {});
  const ended = new Promise<{ code: number | null; stderr: string }>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve({ code, stderr }));
  });
  return { stdin: child.stdin, stdout: child.stdout, ended };
}

/**
 * Runs a program and returns its output. Throws DatabaseProblem with `problem` and the program's
 * first error.
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  { variables = {}, problem }: { readonly variables?: ProgramVariables; readonly problem: string },
): Promise<string> {
  const { stdin, stdout, ended } = startProgram(program, args, variables);
  stdin.end();
  let printed = "";
  stdout.setEncoding("utf8");
  stdout.on("data", (text: string) => {
    printed += text;
  });
  const { code, stderr } = await ended;
  if (code !== 0) throw new DatabaseProblem(`${problem} (${firstWords(stderr)}).`);
  return printed;
}

/** The first error that a PostgreSQL program printed, without the program's name. */
export function firstWords(stderr: string): string {
  const lines = stderr.split("\n").filter((line) => line.trim() !== "");
  const line =
    lines.find((text) => /\b(ERROR|FATAL|error):/.test(text)) ?? lines[0] ?? "it said nothing";
  return line.replace(/^.*?\b(?:ERROR|FATAL|error):\s+/, "").replace(/\.$/, "");
}
