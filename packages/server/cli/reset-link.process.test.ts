import assert from "node:assert/strict";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { setTimeout } from "node:timers/promises";
import { openSqliteStore } from "@stile/stores/sqlite/sqlite-store";
import { decodeBase32, totpCode } from "@stile/testkit/browser/ways-in";
import { type ApiAnswer, callApi, closeConnections } from "@stile/testkit/contract/call";
import { PASSWORD } from "@stile/testkit/contract/dashboard";
import { withWork } from "@stile/testkit/minting/puzzle-solving";
import { runStile } from "@stile/testkit/service/run-command";
import { startService } from "@stile/testkit/service/service";
import { openDataDirectory } from "../data-directory/data-directory.ts";

const OTHER_PASSWORD = `${PASSWORD} and more`;
const OWNER = { email: "owner@example.org", name: "Owner" };

const service = await startService({ STILE_LOG_LEVEL: "silent" });
after(async () => {
  closeConnections();
  await service.dispose();
});
const environment = { STILE_DATA_DIR: service.dataDirectory };

async function post(path: string, body: object, cookie?: string): Promise<ApiAnswer> {
  const headers = { origin: service.baseUrl, ...(cookie && { cookie }) };
  const send = (path: string, body: object) =>
    callApi(service.baseUrl, { method: "POST", path: `/dashboard/api/${path}`, body, headers });
  const answer = await send(path, await withWork(path, body, send));
  if (answer.status === 429) await setTimeout(1000 * Number(answer.headers["retry-after"]));
  // Other tests may keep the disk busy (D15, outage), and each retry counts as another attempt.
  return answer.status === 503 || answer.status === 429 ? post(path, body, cookie) : answer;
}

function cookieOf({ headers }: { headers: Readonly<Record<string, unknown>> }): string {
  return String((headers["set-cookie"] as string[] | undefined)?.[0]).split(";")[0] ?? "";
}

/** The token in a printed link. */
function tokenOf(url: string | null): string {
  const prefix = `http://localhost:${service.port}/dashboard/link#`;
  assert.ok(url?.startsWith(prefix), String(url));
  return url?.slice(prefix.length) ?? "";
}

async function initUrl(): Promise<string | null> {
  const { stdout } = await runStile(["init", "--json"], environment);
  return (JSON.parse(stdout) as { setup_url: string | null }).setup_url;
}

async function resetUrl(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await runStile(["reset-link", ...args], environment);
  assert.equal(code, 0, stderr);
  return stdout.trim();
}

const isOpen = async (token: string): Promise<boolean> =>
  (await post("link", { token })).status === 200;

suite("the operator's way in (D16, operator)", () => {
  test("prints a working link by init, even if the first site's keys are lost", async () => {
    const keys = join(service.dataDirectory, "demo.json");
    const aside = `${keys}.aside`;
    renameSync(keys, aside);
    try {
      const { code, stdout, stderr } = await runStile(["init", "--json"], environment);
      assert.equal(code, 1);
      assert.match(stderr, /no valid keys for a first site\. Create a site in the dashboard/);
      const { site_key, secret_key, setup_url } = JSON.parse(stdout) as Record<
        string,
        string | null
      >;
      assert.deepEqual([site_key, secret_key], [null, null]);
      assert.equal(await isOpen(tokenOf(setup_url ?? null)), true);
    } finally {
      renameSync(aside, keys);
    }
  });

  test("replaces each set-up link by the next, until one makes the owner", async () => {
    const first = tokenOf(await initUrl());
    const { stdout, stderr } = await runStile(["reset-link"], environment);
    assert.match(
      stderr,
      /to become the owner: it works once, for 15 minutes, and replaces any earlier one\.$/m,
    );
    const second = tokenOf(stdout.trim());
    assert.deepEqual([await isOpen(first), await isOpen(second)], [false, true]);
    const refused = await post("link/accept", { token: first, ...OWNER, password: PASSWORD });
    assert.equal(refused.body.error?.code, "link_expired");
    const taken = await post("link/accept", { token: second, ...OWNER, password: PASSWORD });
    assert.equal(taken.status, 200, JSON.stringify(taken.body));
    const me = await callApi(service.baseUrl, {
      method: "GET",
      path: "/dashboard/api/me",
      headers: { cookie: cookieOf(taken) },
    });
    assert.equal((me.body.data.user as { role: string }).role, "owner");
    assert.equal(await initUrl(), null, "the set-up link is gone once there are members");
    assert.equal(await isOpen(second), false);
  });

  test("gives the only owner a new password and ends their sessions; the audit log names the operator", async () => {
    const before = await post("sign-in", { email: OWNER.email, password: PASSWORD });
    assert.equal(before.status, 200);
    const token = tokenOf(await resetUrl());
    const taken = await post("link/accept", {
      token,
      email: "",
      name: "",
      password: OTHER_PASSWORD,
    });
    assert.equal(taken.status, 200, JSON.stringify(taken.body));
    const old = await callApi(service.baseUrl, {
      method: "GET",
      path: "/dashboard/api/me",
      headers: { cookie: cookieOf(before) },
    });
    assert.equal(old.status, 401);
    assert.equal((await post("sign-in", { email: OWNER.email, password: PASSWORD })).status, 401);
    assert.equal(
      (await post("sign-in", { email: OWNER.email, password: OTHER_PASSWORD })).status,
      200,
    );
    const store = await openSqliteStore({
      file: openDataDirectory(service.dataDirectory).databaseFile,
    });
    const [account] = await store.sites.listAccounts();
    const entries = await store.auditLog.list(account?.accountId ?? "", { limit: 100 });
    await store.close();
    const [made] = entries.filter(({ action }) => action === "reset_link_made");
    assert.deepEqual(
      [made?.actor, made?.subject],
      [{ userId: null, name: "command line" }, OWNER.email],
    );
    assert.ok(!JSON.stringify(entries).includes(token));
  });

  test("asks for the owner's second factor, unless the operator removes it by name", async () => {
    const before = await post("sign-in", { email: OWNER.email, password: OTHER_PASSWORD });
    assert.equal(before.status, 200, JSON.stringify(before.body));
    const cookie = cookieOf(before);
    const { data } = (await post("me/totp", {}, cookie)).body;
    const code = totpCode(decodeBase32(String(data.secret)), Date.now());
    const confirmed = await post("me/totp/confirm", { ticket: data.ticket, code }, cookie);
    assert.equal(confirmed.status, 200, JSON.stringify(confirmed.body));
    const choice = { email: "", name: "", password: PASSWORD };
    const kept = await post("link/accept", { ...choice, token: tokenOf(await resetUrl()) });
    assert.deepEqual([kept.status, kept.body.error?.code], [401, "second_factor_needed"]);
    const taken = await post("link/accept", {
      ...choice,
      token: tokenOf(await resetUrl("--remove-second-factor")),
    });
    assert.equal(taken.status, 200);
    assert.equal(
      (await post("sign-in", { email: OWNER.email, password: PASSWORD })).status,
      200,
      "by a password alone",
    );
  });

  test("says whose link it is and how long it works, on standard error next to the link for scripts", async () => {
    const { stdout, stderr } = await runStile(["reset-link"], environment);
    assert.match(stdout, /^http:\S+\n$/);
    const told = `to choose a new password for ${OWNER.email}: it works once, for 60 minutes, and replaces any earlier one.`;
    assert.equal(stderr, `Open this link in a browser ${told}\n`);
  });

  test("finds a member by email in any spelling, and makes no link for an unknown one", async () => {
    assert.equal(await isOpen(tokenOf(await resetUrl("--email", " Owner@Example.ORG "))), true);
    const { code, stdout, stderr } = await runStile(
      ["reset-link", "--email", "nobody@example.org"],
      environment,
    );
    assert.deepEqual([code, stdout], [1, ""]);
    assert.match(stderr, /no member has the email address nobody@example\.org/);
  });

  test("makes a link to the running server, or without one to the address where it would run", async () => {
    const told = { STILE_PORT: "9", STILE_BASE_URL: "https://elsewhere.example" };
    const base = { STILE_BASE_URL: "https://stile.example.org" };
    for (const [own, address] of [
      [{}, undefined],
      [base, base.STILE_BASE_URL],
      [{ STILE_HOST: "127.0.0.5" }, "http://127.0.0.5:"],
    ] as const) {
      const other = await startService({ STILE_LOG_LEVEL: "silent", ...own });
      try {
        const directory = { STILE_DATA_DIR: other.dataDirectory };
        const linkOf = async (): Promise<string> =>
          (await runStile(["reset-link"], { ...directory, ...told })).stdout;
        const setUpOf = async (): Promise<string> =>
          JSON.parse((await runStile(["init", "--json"], { ...directory, ...told })).stdout)
            .setup_url;
        const running =
          address?.replace(/:$/, `:${other.port}`) ?? `http://localhost:${other.port}`;
        for (const link of [await linkOf(), await setUpOf()])
          assert.ok(link.startsWith(`${running}/dashboard/link#`), link);
        // As after a crash: the server's records are still there, but no longer true.
        await other.kill();
        const { stdout, stderr } = await runStile(["reset-link"], { ...directory, ...told });
        assert.match(stdout, /^https:\/\/elsewhere\.example\/dashboard\/link#/);
        assert.match(stderr, /no server is running/);
      } finally {
        await other.dispose();
      }
    }
  });
});
