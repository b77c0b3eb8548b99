import type { Config } from "../config.ts";
import { DataDirectoryProblem } from "../data-directory-problem.ts";

/** Throws DataDirectoryProblem where the database is PostgreSQL's, which has tools of its own for what was asked: `instead`. */
export function refuseShared({ databaseUrl }: Config, instead: string): void {
  if (databaseUrl === undefined) return;
  throw new DataDirectoryProblem(`The database of STILE_DATABASE_URL is PostgreSQL's; use its own tools: ${instead}`);
}
