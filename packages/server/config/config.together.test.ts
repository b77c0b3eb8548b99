import assert from "node:assert/strict";
import { test } from "node:test";
import { configOf, problemsOf } from "@stile/testkit/service/config-of";

test("the header of TLS fingerprints is named in any case, and only beside trusted proxies (D14, D17)", () => {
  const proxies = { STILE_TRUSTED_PROXIES: "10.0.0.1" };
  assert.equal(configOf({ ...proxies, STILE_TLS_FINGERPRINT_HEADER: "X-JA4" }).tlsFingerprintHeader, "x-ja4");
  assert.match(
    problemsOf({ STILE_TLS_FINGERPRINT_HEADER: "x-ja4" }).join(),
    /Set STILE_TRUSTED_PROXIES, or remove it\.$/,
  );
  for (const name of ["x ja4", "x:ja4", "-", "ä"]) {
    assert.match(problemsOf({ ...proxies, STILE_TLS_FINGERPRINT_HEADER: name }).join(), /must be the name of a header/);
  }
});

test("limits are leased by nodes on PostgreSQL that are told to, and by nobody else (D10, D17)", () => {
  const STILE_DATABASE_URL = "postgres://stile@db.example.org/stile";
  assert.equal(configOf({ STILE_DATABASE_URL }).areLimitsLeased, false);
  assert.equal(configOf({ STILE_DATABASE_URL, STILE_LIMIT_LEASES: "on" }).areLimitsLeased, true);
  assert.equal(configOf({ STILE_LIMIT_LEASES: "off" }).areLimitsLeased, false);
  assert.match(problemsOf({ STILE_LIMIT_LEASES: "on" })[0] ?? "", /^STILE_LIMIT_LEASES .* Set STILE_DATABASE_URL/);
  const both = { STILE_DATABASE_URL, STILE_VALKEY_URL: "redis://hot.example", STILE_LIMIT_LEASES: "on" };
  assert.match(problemsOf(both)[0] ?? "", /^STILE_LIMIT_LEASES .* redemptions are in Valkey/);
  assert.equal(configOf({ ...both, STILE_VALKEY_HOLDS: "limits" }).areLimitsLeased, true);
  assert.equal(problemsOf({ STILE_DATABASE_URL, STILE_LIMIT_LEASES: "500" }).length, 1);
});

test("a Valkey is of use only beside a database, which is said (D17)", () => {
  const STILE_VALKEY_URL = "redis://:secret@hot";
  const STILE_DATABASE_URL = "postgres://db/stile";
  assert.equal(configOf({ STILE_VALKEY_URL, STILE_DATABASE_URL }).valkeyUrl, STILE_VALKEY_URL);
  const [problem, ...others] = problemsOf({ STILE_VALKEY_URL });
  assert.match(problem ?? "", /^STILE_VALKEY_URL is of use only to nodes .* Set STILE_DATABASE_URL, or remove it\.$/);
  assert.deepEqual(others, []);
  const replicas = configOf({ STILE_VALKEY_URL, STILE_DATABASE_URL, STILE_VALKEY_REPLICAS: "2" }).valkeyReplicas;
  assert.equal(replicas, 2);
  assert.match(
    problemsOf({ STILE_VALKEY_REPLICAS: "1" })[0] ?? "",
    /of no use without a Valkey\. Set STILE_VALKEY_URL/,
  );
  assert.match(problemsOf({ STILE_VALKEY_REPLICAS: "all" })[0] ?? "", /must be a whole number from 0 to 9\.$/);
  const [unread] = problemsOf({ STILE_VALKEY_URL: "hot:6379", STILE_DATABASE_URL });
  assert.match(unread ?? "", /^STILE_VALKEY_URL .* must be an address such as rediss:/);
});

test("a Valkey holds all that is hot, or limits alone, where there is one (D17)", () => {
  const shared = { STILE_DATABASE_URL: "postgres://db/stile", STILE_VALKEY_URL: "redis://hot.example" };
  assert.equal(configOf(shared).valkeyHolds, "all");
  assert.equal(configOf({ ...shared, STILE_VALKEY_HOLDS: "limits" }).valkeyHolds, "limits");
  assert.match(problemsOf({ ...shared, STILE_VALKEY_HOLDS: "none" }).join(), /must be one of all, limits\.$/);
  assert.match(problemsOf({ STILE_VALKEY_HOLDS: "limits" }).join(), /^STILE_VALKEY_HOLDS .* Set STILE_VALKEY_URL, or/);
  const waiting = { ...shared, STILE_VALKEY_HOLDS: "limits", STILE_VALKEY_REPLICAS: "1" };
  assert.match(problemsOf(waiting).join(), /^STILE_VALKEY_REPLICAS .* holds limits alone.* Remove it\.$/);
});
