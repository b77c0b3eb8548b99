import assert from "node:assert/strict";
import { test } from "node:test";
import pg from "pg";
import { toLibpqEnvironment } from "../archive/postgres-programs.ts";
import { readConnectionOptions } from "./connection-options.ts";
import { DatabaseProblem } from "./database-problem.ts";

type Tls = { readonly rejectUnauthorized?: boolean; readonly checkServerIdentity?: unknown } | boolean | undefined;

/** What the driver makes of the address: how it looks at the server's certificate. */
function tlsOf(query: string): Tls {
  const { connectionString } = readConnectionOptions(`postgres://u:p@db.example.org/d${query}`);
  const { ssl } = new pg.Client({ connectionString }) as unknown as { readonly ssl: Tls };
  return ssl;
}

test("verify-full holds the certificate against the roots and the host's name, and nothing weakens it", () => {
  const tls = tlsOf("?sslmode=verify-full");
  assert.ok(typeof tls === "object");
  assert.notEqual(tls.rejectUnauthorized, false);
  assert.equal(tls.checkServerIdentity, undefined);
});

test("require encrypts without looking who answers, as libpq does, and disable does not encrypt", () => {
  const tls = tlsOf("?sslmode=require");
  assert.ok(typeof tls === "object");
  assert.equal(tls.rejectUnauthorized, false);
  assert.ok([false, undefined].includes(tlsOf("?sslmode=disable") as boolean | undefined));
});

test("tells where the database is, without the password", () => {
  const { place } = readConnectionOptions("postgresql://st%40le:s%2Fcret@db.example.org:6432/sti%20le");
  assert.deepEqual(place, { host: "db.example.org", port: 6432, name: "sti le", user: "st@le" });
  assert.equal(readConnectionOptions("postgres:///d?host=/run/postgresql").place.host, "/run/postgresql");
});

test("options that the driver would pass over in silence are refused", () => {
  for (const query of ["?sslmode=allow", "?sslcrl=x", "?channel_binding=require", "?target_session_attrs=read-write"]) {
    assert.throws(() => readConnectionOptions(`postgres://h/d${query}`), DatabaseProblem, query);
  }
});

test("a % that begins no byte stands for itself, beside those that do, for the driver as for PostgreSQL's programs", () => {
  for (const [written, meant] of [
    ["50%", "50%"],
    ["p%ss%2Fx", "p%ss/x"],
    ["%25zz%", "%zz%"],
    ["a%b%zz%40", "a%b%zz@"],
  ] as const) {
    const url = `postgres://st%ile:${written}@db.example.org/d`;
    const { user, password } = new pg.Client({ connectionString: readConnectionOptions(url).connectionString });
    assert.deepEqual([user, password], ["st%ile", meant], written);
    const { PGUSER, PGPASSWORD } = toLibpqEnvironment(url);
    assert.deepEqual([PGUSER, PGPASSWORD], ["st%ile", meant], written);
  }
});

test("a password that can't be read is told without it", () => {
  assert.throws(
    () => readConnectionOptions("postgres://stile:secret%ff@db.example.org/d"),
    (fault) => fault instanceof DatabaseProblem && !fault.message.includes("secret"),
  );
});
