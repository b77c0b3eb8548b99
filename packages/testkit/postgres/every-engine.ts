import { after } from "node:test";
import { openPostgresStore } from "@stile/stores/postgres/postgres-store";
import {
  MEMORY,
  SQLITE,
  type StoreEngine,
  startInProcess,
  type TimedFixture,
} from "../contract/service-fixtures.ts";
import { startPostgres } from "./throw-away-postgres.ts";

/**
 * So long that no deadline passes, however slow the machine: other tests check the stores' own
 * promises.
 */
const PATIENT_MS = 120_000;

/**
 * A service in this process on each engine, PostgreSQL with its own throw-away server; all stop
 * after the test file.
 */
export async function startOnEveryEngine(
  environment: Readonly<Record<string, string>>,
): Promise<readonly TimedFixture[]> {
  const server = await startPostgres({ isDurable: false });
  const url = server.createDatabase("service");
  const postgres: StoreEngine = {
    name: "PostgreSQL",
    open: () => openPostgresStore({ url, deadlineMs: PATIENT_MS }),
  };
  const fixtures: TimedFixture[] = [];
  after(async () => {
    for (const { stop } of fixtures) await stop();
    await server.stop();
  });
  for (const engine of [MEMORY, SQLITE, postgres])
    fixtures.push(await startInProcess(environment, engine));
  return fixtures;
}
