import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { after, test } from "node:test";
import { startTcpProxy } from "@stile/testkit/postgres/tcp-proxy";
import { startPostgres } from "@stile/testkit/postgres/throw-away-postgres";
import { openPostgresStore } from "../../postgres/postgres-store.ts";
import { redemptionOf, seedSite } from "../contract-fixtures.ts";
import { temporaryFile } from "../temporary-file.ts";
import { isUnavailable, untilAnswered } from "../until-answered.ts";

const engine = await startPostgres({ isDurable: false });
after(engine.stop);

test("a file of TLS that is away when connections are made anew is an outage until it is there again (D15)", async (context) => {
  const file = temporaryFile(context);
  writeFileSync(file, "");
  const proxy = await startTcpProxy(engine.port);
  context.after(proxy.stop);
  const url = new URL(engine.createDatabase("certificates"));
  url.port = `${proxy.port}`;
  // Not encrypted, so that no certificate is needed; the driver reads it all the same, for each connection.
  url.search = new URLSearchParams({ sslmode: "disable", sslrootcert: file }).toString();
  const node = await openPostgresStore({ url: url.href });
  context.after(() => node.close());
  const site = await seedSite(node);
  assert.equal((await node.tokens.redeem(redemptionOf(site))).kind, "spent");
  rmSync(file);
  proxy.setMode("cut");
  proxy.setMode("pass");
  for (let round = 0; round < 10; round++) {
    await assert.rejects(node.tokens.redeem(redemptionOf(site)), isUnavailable);
    await assert.rejects(node.sites.findSite(site.siteKey), isUnavailable);
  }
  writeFileSync(file, "");
  assert.equal((await untilAnswered(() => node.tokens.redeem(redemptionOf(site)))).kind, "spent");
});
