import assert from "node:assert/strict";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { seedSite } from "../../contract/contract-fixtures.ts";
import { temporaryFile } from "../../contract/temporary-file.ts";
import { openSqliteStore } from "../sqlite-store.ts";

test("a site stored before a setting existed has that setting's default", async (context) => {
  const file = temporaryFile();
  const first = await openSqliteStore({ file });
  const site = await seedSite(first, { signedAgents: "let_through" });
  await first.close();
  const database = new DatabaseSync(file);
  database.exec("UPDATE sites SET settings = json_remove(settings, '$.signedAgents', '$.contact')");
  database.close();
  const store = await openSqliteStore({ file });
  context.after(() => store.close());
  assert.deepEqual(await store.sites.findSite(site.siteKey), {
    ...site,
    signedAgents: "judge",
    contact: "",
  });
});
