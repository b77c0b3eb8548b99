import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { withLibpqEnvironment } from "./libpq-environment.ts";

test("passes an address to the programs through the environment, with its passwords, folders and files unchanged", async () => {
  const url =
    "postgres://a%40b:p%2F%3Aw@[::1]:6000/some%20name?sslmode=verify-full&sslrootcert=/c.pem&options=-csearch_path%3Dx";
  await withLibpqEnvironment(url, async (told) => {
    assert.deepEqual(
      [
        told.PGHOST,
        told.PGPORT,
        told.PGUSER,
        told.PGPASSWORD,
        told.PGDATABASE,
        told.PGSSLMODE,
        told.PGSSLROOTCERT,
      ],
      ["::1", "6000", "a@b", "p/:w", "some name", "verify-full", "/c.pem"],
    );
    assert.equal(told.PGOPTIONS, "-csearch_path=x");
  });
  const several = "postgres://u@a:6000,b/d?target_session_attrs=read-write";
  await withLibpqEnvironment(several, async ({ PGHOST, PGPORT, PGTARGETSESSIONATTRS }) => {
    assert.deepEqual([PGHOST, PGPORT, PGTARGETSESSIONATTRS], ["a,b", "6000,5432", "read-write"]);
  });
  await withLibpqEnvironment(
    "postgres:///d?host=/run/postgresql&port=5433&user=a",
    async (told) => {
      assert.deepEqual(
        [told.PGHOST, told.PGPORT, told.PGUSER, told.PGSSLMODE],
        ["/run/postgresql", "5433", "a", "disable"],
      );
    },
  );
});

test("makes libpq trust the authorities that Node trusts, and look for none in the home folder if none are checked", async () => {
  let file = "";
  await withLibpqEnvironment(
    "postgres://u:p@h/d?sslmode=verify-full",
    async ({ PGSSLROOTCERT = "" }) => {
      file = PGSSLROOTCERT;
      assert.match(readFileSync(file, "utf8"), /^-----BEGIN CERTIFICATE-----\n/);
    },
  );
  assert.equal(existsSync(file), false);
  await withLibpqEnvironment(
    "postgres://u:p@h/d?sslmode=require",
    async ({ PGSSLROOTCERT = "", PGSSLCERT = "" }) => {
      for (const named of [PGSSLROOTCERT, PGSSLCERT])
        assert.deepEqual([named.startsWith("/"), existsSync(named)], [true, false]);
    },
  );
});
