// Two nodes on one PostgreSQL under load, while one of them is upgraded and downgraded again
// (decision 0011, upgrades).
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { roll, type Turn } from "@stile/testkit/releases/roll";
import { toRollFigures } from "@stile/testkit/releases/roll-figures";
import {
  COMMAND_LINE_PROGRAM,
  LATER_SERVICE,
  SERVICE_PROGRAM,
} from "@stile/testkit/service/programs";
import { holds } from "@stile/testkit/trials/trial";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

const before = { service: [SERVICE_PROGRAM], commandLine: [COMMAND_LINE_PROGRAM] };
/** Each node is upgraded and downgraded next to the other one. */
const TURNS: readonly Turn[] = [
  { node: 0, version: "after" },
  { node: 0, version: "before" },
];

test("upgrading a node and its tables, and downgrading it, loses nothing under load on either node (D3, single use)", async () => {
  const databaseUrl = engine.createDatabase("adds");
  const plan = { databaseUrl, before, after: { service: [LATER_SERVICE] }, turns: TURNS };
  const report = await roll(plan);
  const figures = toRollFigures([report], TURNS.length);
  console.log(figures.map(({ name, value, unit }) => `${name}: ${value} ${unit}`).join("\n"));
  assert.deepEqual(
    [figures.filter((figure) => !holds(figure)), report.visits.firstWrong],
    [[], ""],
  );
  assert.deepEqual(
    [report.refusedStart, report.changes.filter((change) => !change.holds)],
    ["", []],
  );
});
