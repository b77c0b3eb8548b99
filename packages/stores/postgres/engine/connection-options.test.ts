import assert from "node:assert/strict";
import { test } from "node:test";
import { readConnectionOptions } from "./connection-options.ts";
import { DatabaseProblem } from "./database-problem.ts";

function refusalOf(query: string, environment: NodeJS.ProcessEnv = {}): string {
  try {
    readConnectionOptions(`postgres://u:secret@db.example.org/d${query}`, environment);
  } catch (fault) {
    assert.ok(fault instanceof DatabaseProblem, String(fault));
    assert.doesNotMatch(fault.message, /:secret/);
    return fault.message;
  }
  return assert.fail(`${query} was taken`);
}

const tlsOf = (query: string, environment: NodeJS.ProcessEnv = {}) =>
  readConnectionOptions(`postgres://u:p@db.example.org/d${query}`, environment).tls;

test("describes where the database is, without the password", () => {
  const { place, password } = readConnectionOptions(
    "postgresql://st%40le:s%2Fcret@db.example.org:6432/sti%20le",
    {},
  );
  assert.deepEqual(place, {
    hosts: [{ host: "db.example.org", port: 6432 }],
    name: "sti le",
    user: "st@le",
  });
  assert.equal(password, "s/cret");
  const ofSocket = readConnectionOptions(
    "postgres:///d?host=/run/postgresql&port=5433&user=a&password=b",
    {},
  );
  assert.deepEqual(ofSocket.place, {
    hosts: [{ host: "/run/postgresql", port: 5433 }],
    name: "d",
    user: "a",
  });
  assert.equal(ofSocket.password, "b");
  assert.deepEqual(readConnectionOptions("postgres://[::1]/d", {}).place.hosts, [
    { host: "::1", port: 5432 },
  ]);
});

test("tries several hosts in order, each with its port, until one accepts writes", () => {
  const { place, password } = readConnectionOptions(
    "postgres://u:p,w%40@a:6000,b.example.org,[::1]:6001/d?target_session_attrs=read-write&sslmode=require",
    { PGPORT: "7000" },
  );
  assert.deepEqual(place.hosts, [
    { host: "a", port: 6000 },
    { host: "b.example.org", port: 7000 },
    { host: "::1", port: 6001 },
  ]);
  assert.deepEqual([place.name, place.user, password], ["d", "u", "p,w@"]);
  const { hosts } = readConnectionOptions("postgres://a/d?target_session_attrs=primary", {}).place;
  assert.deepEqual(hosts, [{ host: "a", port: 5432 }]);
});

test("takes what the address omits from libpq's variables, or else the usual defaults", () => {
  const variables = { PGHOST: "db", PGPORT: "7000", PGUSER: "ada", PGPASSWORD: "x" };
  const said = readConnectionOptions("postgres:///d", variables);
  assert.deepEqual(
    [said.place, said.password],
    [{ hosts: [{ host: "db", port: 7000 }], name: "d", user: "ada" }, "x"],
  );
  const hosts = [{ host: "h", port: 1 }];
  assert.deepEqual(readConnectionOptions("postgres://u:y@h:1/d", variables).place, {
    hosts,
    name: "d",
    user: "u",
  });
  assert.deepEqual(readConnectionOptions("postgres:///d", {}).place, {
    hosts: [{ host: "localhost", port: 5432 }],
    name: "d",
    user: "postgres",
  });
});

test("refuses an unsupported option by name, and says what to write instead", () => {
  for (const [query, told] of [
    ["?sslcrl=x", "has sslcrl, which is not honoured here: leave it out;"],
    [
      "?sslmode=verify-full&require_auth=scram-sha-256",
      "has require_auth, .*: leave it out, and have pg_hba",
    ],
    ["?ssl_min_protocol_version=TLSv1.3", "has ssl_min_protocol_version, .* TLS 1\\.2"],
    ["?gssencmode=require", "has gssencmode, .* write sslmode=verify-full"],
    ["?passfile=/p", "has passfile, .* STILE_DATABASE_URL_FILE"],
    ["?connect_timeout=3", "has connect_timeout, "],
    ["?channel_binding=require", "has channel_binding, .* write sslmode=verify-full"],
    ["?target_session_attrs=any", "has target_session_attrs=any, .*: write read-write"],
    ["?load_balance_hosts=random", "has load_balance_hosts, .* only one host accepts writes"],
    // `restore` recognises a running node by the name of its sessions.
    ["?application_name=web", "has application_name, "],
    ["?statement_timeout=0", "has statement_timeout, "],
    ["?constructor=1", "has constructor, which is not honoured here: leave it out;"],
    ["?toString=1", "has toString, which is not honoured here: leave it out;"],
    ["?uselibpqcompat=true", "has uselibpqcompat, "],
    ["?ssl=true", "has ssl, .* write sslmode=verify-full"],
    ["?sslmode=disable&sslmode=verify-full", "has sslmode twice"],
    ["?sslmode=verify-full&sslrootcert=", "has sslrootcert without a value"],
  ] as const) {
    assert.match(refusalOf(query), new RegExp(`^STILE_DATABASE_URL ${told}`), query);
  }
});

test("refuses an address that leaves open whether to encrypt, or which authorities to trust", () => {
  for (const [query, told] of [
    [
      "?sslmode=prefer",
      "has sslmode=prefer, .* can turn encryption off: write sslmode=verify-full",
    ],
    ["?sslmode=allow", "has sslmode=allow, "],
    ["?sslmode=no-verify", "has no sslmode that there is: write sslmode="],
    ["?sslrootcert=/ca.pem", "has sslrootcert without sslmode: write sslmode=verify-full"],
    ["?sslmode=disable&sslcert=/a&sslkey=/b", "has sslcert, and encrypts nothing"],
    ["?sslmode=verify-ca", "has sslmode=verify-ca without sslrootcert: name the file"],
    ["?sslmode=verify-ca&sslrootcert=system", "has sslrootcert=system with sslmode=verify-ca, "],
    ["?sslmode=require&sslrootcert=system", "has sslrootcert=system with sslmode=require, "],
    ["?sslmode=verify-full&sslcert=/a", "has one of sslcert and sslkey: name both"],
    ["?sslmode=require&host=/run/postgresql", "names a socket, which speaks no TLS"],
  ] as const) {
    assert.match(refusalOf(query), new RegExp(`^STILE_DATABASE_URL ${told}`), query);
  }
});

test("reports a variable that would encrypt for other programs if the address says nothing", () => {
  const environment = { PGSSLMODE: "verify-full" };
  assert.match(
    refusalOf("", environment),
    /has no sslmode, and PGSSLMODE is not read: write sslmode=verify-full/,
  );
  assert.equal(tlsOf("?sslmode=disable", environment).mode, "disable");
  assert.equal(tlsOf("", { PGSSLMODE: "disable" }).mode, "disable");
  assert.equal(tlsOf("?host=/run/postgresql", environment).mode, "disable");
});

test("reads how to encrypt, and does not encrypt if the address says nothing", () => {
  assert.deepEqual(tlsOf(""), { mode: "disable" });
  assert.deepEqual(tlsOf("?sslmode=verify-full&sslrootcert=/c.pem&sslcert=/a&sslkey=/b"), {
    mode: "verify-full",
    files: { sslrootcert: "/c.pem", sslcert: "/a", sslkey: "/b" },
  });
});

test("reports text that is not the address of a database", () => {
  for (const [text, told] of [
    [
      "db.example.org",
      "is no address (@, /, ? and # of a password are written as %40, %2F, %3F and %23)",
    ],
    ["postgres://u:secret/x@h/d", "is no address (@, "],
    [
      "postgres://u:p@ss/w0rd@h/d",
      "has an @ behind its host: write @ and / of a password as %40 and %2F",
    ],
    ["mysql://h/d", "does not begin with postgres://"],
    ["postgres://h", "names no database"],
    ["postgres://u:secret%ff@h/d", "has a % that is not written as %25"],
    ["postgres://a,b/d", "names several hosts: write them as "],
    [
      "postgres://a,b/d?target_session_attrs=read-write&port=1",
      "names several hosts: write them as ",
    ],
    [
      "postgres:///d?host=a,b&target_session_attrs=read-write",
      "names several hosts in one option: write them as ",
    ],
    ["postgres://h/d?port=x", "has an invalid port"],
  ] as const) {
    assert.throws(
      () => readConnectionOptions(text, {}),
      (fault) =>
        fault instanceof DatabaseProblem && fault.message.startsWith(`STILE_DATABASE_URL ${told}`),
      text,
    );
  }
});

test("keeps a % that does not begin an encoded byte, next to those that do", () => {
  for (const [written, meant] of [
    ["50%", "50%"],
    ["p%ss%2Fx", "p%ss/x"],
    ["%25zz%", "%zz%"],
    ["a%b%zz%40", "a%b%zz@"],
  ] as const) {
    const { place, password } = readConnectionOptions(
      `postgres://st%ile:${written}@db.example.org/d`,
      {},
    );
    assert.deepEqual([place.user, password], ["st%ile", meant], written);
  }
});

test("refuses, without printing it, a part of a password that looks like a host, an option or a fragment", () => {
  for (const [text, told] of [
    ["postgres://stile:p@ss/w0rd@db.example.org/d", "%40 and %2F"],
    ["postgres://stile:p@ss/x?w0rd@db.example.org/d", "%3F"],
    ["postgres://stile:p@ss/x?w0rd@db.example.org/d?sslmode=verify-full", "%3F"],
    ["postgres://stile:p@ss/x#w0rd@db.example.org/d", "%23"],
  ] as const) {
    assert.throws(
      () => readConnectionOptions(text, {}),
      (fault) =>
        fault instanceof DatabaseProblem &&
        fault.message.includes(told) &&
        !/\bss\b|w0rd/.test(fault.message),
      text,
    );
  }
});

test("reports an unreadable password without printing it", () => {
  assert.throws(
    () => readConnectionOptions("postgres://stile:secret%ff@db.example.org/d", {}),
    (fault) => fault instanceof DatabaseProblem && !fault.message.includes("secret"),
  );
});

test("does not take an @ or a comma of a password as the end of a host", () => {
  const { password, place } = readConnectionOptions(
    "postgres://u:p@x,y@one,two/d?target_session_attrs=read-write",
    {},
  );
  assert.deepEqual([password, place.hosts.map(({ host }) => host)], ["p@x,y", ["one", "two"]]);
});
