import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, suite, test } from "node:test";
import { TEST_KEYS } from "@stile/core/domain/site/test-keys";
import { pageSnippets } from "@stile/dashboard/features/sites/install/page-snippets";
import { serverSnippets } from "@stile/dashboard/features/sites/install/server-snippets";
import { checkTokenCode } from "@stile/protocol/check-token-code";
import {
  launchAutomatedBrowser,
  launchVisitorBrowser,
  newVisitor,
  openPage,
  tokenOf,
  waitForState,
} from "@stile/testkit/browser/browser";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import { findFreePort } from "@stile/testkit/free-port";
import { mintTokens } from "@stile/testkit/minting/mint-tokens";
import { addSite, type OperatorSite } from "@stile/testkit/service/operator-site";
import { runNpm } from "@stile/testkit/service/run-command";
import { codeBlocks, readText } from "@stile/testkit/service/samples";
import { startService } from "@stile/testkit/service/service";
import type { Page } from "playwright-core";

const service = await startService({ STILE_LOG_LEVEL: "silent" });
const invisible = await addSite(service.dataDirectory, {
  name: "Invisible",
  mode: "invisible",
  binding: "strict",
});
const browser = await launchVisitorBrowser();
const directory = mkdtempSync(join(tmpdir(), "stile-samples-"));
after(async () => {
  await browser.close();
  await service.dispose();
  rmSync(directory, { recursive: true, force: true });
});

const environment = { ...process.env, STILE_SECRET: service.secretKey };
const baseUrl = `http://localhost:${service.port}`;

/**
 * Opens a page with a widget in a form, lets it be solved, sends the form, and returns the form
 * server's answer.
 */
async function sendForm(url: string): Promise<{ page: Page; token: string; said: string }> {
  const { page } = await openPage(await newVisitor(browser), url);
  await pressByHand(page, "input[name=email]");
  await page.keyboard.type("ada@example.org");
  await waitForState(page, "verified");
  const token = await tokenOf(page);
  const answered = page.waitForResponse(
    (response) =>
      response.request().method() === "POST" && response.url().startsWith(new URL(url).origin),
  );
  await page.getByRole("button").first().click();
  await (await answered).finished();
  return { page, token, said: await page.locator("body").innerText() };
}

suite("README: protect a form in five minutes", () => {
  const blocks = codeBlocks(readText("README.md"));
  const blockOf = (language: string, holds: string): string =>
    blocks.find((block) => block.language === language && block.code.includes(holds))?.code ??
    assert.fail(holds);

  test("its commands are commands of the project, and the one for the keys prints the keys of the site", async () => {
    const { scripts } = JSON.parse(readText("package.json")) as { scripts: Record<string, string> };
    const lines = blocks
      .filter(({ language }) => language === "sh")
      .flatMap(({ code }) => code.trim().split("\n"));
    const commands = lines.map((line) => line.replace(/\s+#.*$/, ""));
    assert.deepEqual(commands, [
      "npm start",
      "npm test",
      "npm run --silent stile -- init --json",
      "STILE_SECRET=sk_... node server.mjs",
      "npm run install:production",
      "npm start -- --help",
      "npm run stile -- doctor",
      "npm run stile -- backup FILE",
      "npm run stile -- reset-link",
    ]);
    for (const name of ["start", "test", "stile", "install:production"])
      assert.ok(scripts[name], name);
    const { stdout: help } = await runNpm("stile", ["--help"], {});
    for (const name of ["doctor", "backup", "reset-link"]) assert.match(help, new RegExp(name));
    const { stdout } = await runNpm("stile", ["init", "--json"], {
      STILE_DATA_DIR: service.dataDirectory,
    });
    const keys = JSON.parse(stdout) as { site_key: string; secret_key: string };
    assert.deepEqual([keys.site_key, keys.secret_key], [service.siteKey, service.secretKey]);
  });

  /** Serves page and server as pasted with a site's keys, during `use`. */
  async function withPasted(
    { siteKey, secretKey }: Pick<OperatorSite, "siteKey" | "secretKey">,
    use: (port: number) => Promise<void>,
  ): Promise<void> {
    const port = await findFreePort();
    const here = (code: string): string =>
      code.replaceAll("localhost:8787", `localhost:${service.port}`).replace("3000", `${port}`);
    writeFileSync(
      join(directory, "login.html"),
      here(blockOf("html", "stile-captcha")).replace("pk_...", siteKey),
    );
    writeFileSync(join(directory, "server.mjs"), here(blockOf("js", "token/verify")));
    const server: ChildProcess = spawn(process.execPath, ["server.mjs"], {
      cwd: directory,
      env: { ...environment, STILE_SECRET: secretKey },
      stdio: "inherit",
    });
    try {
      while (
        !(await fetch(`http://127.0.0.1:${port}`).then(
          () => true,
          () => false,
        ))
      )
        assert.equal(server.exitCode, null);
      await use(port);
    } finally {
      server.kill();
      await once(server, "exit");
    }
  }

  test("page and server, pasted with the keys: welcome once, and a readable reason on another host", async () => {
    await withPasted(service, async (port) => {
      const { page, said } = await sendForm(`http://localhost:${port}`);
      assert.equal(said, "Welcome.");
      await page.reload();
      assert.equal(await page.locator("body").innerText(), "Refused: token_already_used");
      const foreign = await sendForm(`http://127.0.0.1:${port}`);
      assert.equal(foreign.said, "Refused: solved on 127.0.0.1, not on localhost");
      const bare = await fetch(`http://127.0.0.1:${port}`, {
        method: "POST",
        body: new URLSearchParams(),
      });
      assert.equal(await bare.text(), "Refused: missing_token");
    });
  });

  test("the guide's test of that form welcomes an automated browser, with the test keys that it names", async () => {
    const guide = readText("docs/guide/test-keys.md");
    const { code } =
      codeBlocks(guide).find((block) => block.code.includes("page.goto")) ??
      assert.fail("the guide has no test");
    for (const { siteKey, secretKey, behaviour } of TEST_KEYS)
      assert.ok(guide.includes(`| ${behaviour} | \`${siteKey}\` | \`${secretKey}\` |`), behaviour);
    const pass = TEST_KEYS.find(({ behaviour }) => behaviour === "pass") ?? assert.fail();
    const automated = await launchAutomatedBrowser();
    try {
      await withPasted(pass, async (port) => {
        const body = code.replace("localhost:3000", `localhost:${port}`);
        const { run } = await import(
          `data:text/javascript,${encodeURIComponent(`export async function run(page) { ${body} }`)}`
        );
        await run(await automated.newPage());
      });
    } finally {
      await automated.close();
    }
  });
});

suite("the dashboard's code for a site", () => {
  const { siteKey } = service;
  const looks = { noScript: "off", theme: "auto", language: "auto" } as const;
  const choices = { mode: "managed", ...looks } as const;
  const facts = { baseUrl, siteKey, domains: ["localhost", "shop.example"], ...choices };
  const snippets = serverSnippets({ ...facts, mode: "invisible" });
  const codeOf = (id: string): string =>
    snippets.find((snippet) => snippet.id === id)?.code ?? assert.fail(id);
  const AGENT = "Visitor/1";
  const ownEnvironment = { ...environment, STILE_SECRET: invisible.secretKey };
  const [own = "", foreign = ""] = ["www.shop.example", "localhost"];

  const ADDRESS = "203.0.113.7";
  const mint = async (hostname: string, score = 0.1): Promise<string> => {
    const mode = "invisible" as const;
    const wish = {
      siteKey: invisible.siteKey,
      count: 1,
      userAgent: AGENT,
      address: ADDRESS,
      hostname,
      score,
      mode,
    };
    const [token = ""] = await mintTokens({ dataDirectory: service.dataDirectory, ...wish });
    return token;
  };

  /**
   * The results of a sample for a valid token, the same one again, one of another host, two of
   * higher scores, and none.
   */
  async function outcomesOf(check: (token: string) => Promise<readonly string[]>) {
    const good = await mint(own);
    const seen = [await check(good), await check(good), await check(await mint(foreign))];
    return [
      ...seen,
      await check(await mint(own, 0.45)),
      await check(await mint(own, 0.6)),
      await check(""),
    ];
  }
  const EXPECTED = [
    ["allow", "score 0.1"],
    ["block", "token_already_used"],
    ["block", "solved on localhost, not on shop.example"],
    ["challenge", "score 0.45"],
    ["block", "score 0.6"],
    ["block", "missing_token"],
  ];

  test("HTML in a real browser with the server code for Next: welcome, but not a second time", async () => {
    process.env.STILE_SECRET = service.secretKey;
    const local =
      serverSnippets({ ...facts, domains: ["localhost"] }).find(({ id }) => id === "next")?.code ??
      "";
    const { POST } = (await import(`data:text/javascript,${encodeURIComponent(local)}`)) as {
      POST: (request: Request) => Promise<Response>;
    };
    const html = pageSnippets(facts).find(({ id }) => id === "html")?.code ?? "";
    const server = createServer(async (request, response) => {
      response.setHeader("Content-Type", "text/html; charset=utf-8");
      if (request.method !== "POST")
        return response.end(`<!doctype html><title>Shop</title>${html}`);
      const headers = new Headers(request.headers as Record<string, string>);
      const answer = await POST(
        new Request("http://shop/", { method: "POST", headers, body: await buffer(request) }),
      );
      return response.writeHead(answer.status).end(await answer.text());
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      const url = `http://localhost:${(server.address() as AddressInfo).port}`;
      const { page, said } = await sendForm(url);
      assert.equal(said, "Welcome");
      await page.reload();
      assert.equal(await page.locator("body").innerText(), "Please try again.");
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  test("Node: Express, Fastify and Next share one check, which tells every outcome apart", async () => {
    process.env.STILE_SECRET = invisible.secretKey;
    const code = checkTokenCode({ baseUrl, hosts: '["shop.example"]' });
    for (const id of ["express", "fastify", "next"]) assert.ok(codeOf(id).includes(code), id);
    const module = await import(
      `data:text/javascript,${encodeURIComponent(`${code}\nexport { checkToken };`)}`
    );
    const outcomes = await outcomesOf(async (token) => {
      const { recommendation, reason } = await module.checkToken(token, ADDRESS, AGENT);
      return [recommendation, reason];
    });
    assert.deepEqual(outcomes, EXPECTED);
  });

  /** The three encodings of a form with that token. */
  const encodings = (token: string): Readonly<Record<string, RequestInit>> => {
    const fields = { email: "ada@example.org", "stile-response": token };
    const multipart = new FormData();
    for (const [name, value] of Object.entries(fields)) multipart.set(name, value);
    return {
      urlencoded: { body: new URLSearchParams(fields) },
      multipart: { body: multipart },
      json: { body: JSON.stringify(fields), headers: { "Content-Type": "application/json" } },
    };
  };

  for (const id of ["express", "fastify"]) {
    test(`${id}, unchanged, accepts each form encoding and the proxy's address, and asks for a second step`, async (t) => {
      symlinkSync(
        join(import.meta.dirname, "..", "..", "..", "node_modules"),
        join(directory, "node_modules"),
        "dir",
      );
      t.after(() => rmSync(join(directory, "node_modules")));
      const port = await findFreePort();
      // The site owner's part: an answer that differs from a refusal.
      writeFileSync(join(directory, `${id}.mjs`), codeOf(id).replace("(403).send", "(202).send"));
      const env = { ...environment, STILE_SECRET: invisible.secretKey, PORT: `${port}` };
      const server = spawn(process.execPath, [`${id}.mjs`], {
        cwd: directory,
        env,
        stdio: "ignore",
      });
      t.after(async () => {
        server.kill();
        await once(server, "exit");
      });
      const url = `http://localhost:${port}/sign-up`;
      const post = async (
        init: RequestInit,
        address = ADDRESS,
      ): Promise<readonly [number, string]> => {
        const headers = { ...init.headers, "User-Agent": AGENT, "X-Forwarded-For": address };
        const response = await fetch(url, { ...init, method: "POST", headers });
        return [response.status, await response.text()];
      };
      while (
        !(await fetch(url).then(
          () => true,
          () => false,
        ))
      )
        assert.equal(server.exitCode, null);
      for (const encoding of ["urlencoded", "multipart", "json"]) {
        const form = encodings(await mint(own))[encoding] ?? assert.fail(encoding);
        assert.deepEqual(await post(form), [200, "Welcome"], encoding);
        assert.deepEqual(await post(form), [403, "Please try again."], `${encoding}, again`);
        const challenged = encodings(await mint(own, 0.45))[encoding] ?? assert.fail(encoding);
        assert.deepEqual(
          await post(challenged),
          [202, "Please try again."],
          `${encoding}, second step`,
        );
      }
      const moved = encodings(await mint(own)).urlencoded ?? assert.fail();
      assert.deepEqual(
        await post(moved, "198.51.100.9"),
        [403, "Please try again."],
        "from another network",
      );
      assert.deepEqual(await post({}), [403, "Please try again."], "without a body");
    });
  }

  const check = (language: string, end: string): string =>
    codeOf(language).slice(0, codeOf(language).indexOf(end));
  const python = `${check("python", "# Flask")}\nimport sys\nprint(json.dumps(check_token(sys.argv[-1], "${ADDRESS}", "${AGENT}")))`;
  const php = `${check("php", "// REMOTE_ADDR")}\necho json_encode(check_token($argv[$argc - 1], '${ADDRESS}', '${AGENT}'));`;
  /**
   * Interpreters that a machine may have, the check whether they can run the sample, and the sample
   * with a call added.
   */
  const INTERPRETERS = [
    { command: "python3", probe: "pass", option: "-c", code: python },
    {
      command: "php",
      probe: "exit(function_exists('curl_init') ? 0 : 1);",
      option: "-r",
      code: php.replace("<?php", ""),
    },
  ];

  for (const { command, probe, option, code } of INTERPRETERS) {
    if (spawnSync(command, [option, probe]).status !== 0) continue;
    test(`${command}, if this machine has it, gives the same results`, async () => {
      const outcomes = await outcomesOf(async (token) =>
        JSON.parse(
          execFileSync(command, [option, code, "--", token], {
            env: ownEnvironment,
            encoding: "utf8",
          }),
        ),
      );
      assert.deepEqual(outcomes, EXPECTED);
      const env = { ...ownEnvironment, STILE_SECRET: "sk_wrong" };
      const refused = execFileSync(command, [option, code, "--", "token"], {
        env,
        encoding: "utf8",
      });
      assert.deepEqual(JSON.parse(refused), ["block", "Stile answered 401"]);
      const lost = spawnSync(
        command,
        [option, code.replace(baseUrl, "http://127.0.0.1:1"), "--", "token"],
        { env },
      );
      assert.notEqual(lost.status, 0, "no verdict");
    });
  }
});
