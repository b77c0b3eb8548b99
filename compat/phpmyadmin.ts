// phpMyAdmin as Debian packages it, end to end: its login form in Chromium, its server in PHP, and a
// database that it logs in to. Only its settings name the service.
import { execFileSync, spawn } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { newVisitor } from "@stile/testkit/browser/browser";
import { pressByHand } from "@stile/testkit/browser/visitor-hand";
import type { OperatorSite } from "@stile/testkit/service/operator-site";
import type { Browser } from "playwright-core";
import type { Row } from "./row.ts";

const PACKAGE = "/usr/share/phpmyadmin";
const NEEDED = [PACKAGE, "/usr/bin/php", "/usr/sbin/mariadbd", "/usr/bin/mariadb-install-db"];
const PATIENCE_MS = 60_000;
const USER = "ada";
const PASSWORD = "lovelace";

/** Its two ways to show a CAPTCHA: a box in the form, or its Log in button. */
const METHODS = ["checkbox", "invisible"] as const;
type Method = (typeof METHODS)[number];

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  await new Promise<unknown>((resolve) => server.close(resolve));
  return port;
}

async function until(isReady: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + PATIENCE_MS;
  while (!(await isReady())) {
    if (performance.now() > endMs) throw new Error("a program did not start");
    await sleep(100);
  }
}

/** A database with one user, reachable by a socket in the folder. */
async function startDatabase(folder: string) {
  const data = join(folder, "data");
  const socket = join(folder, "socket");
  const setUp = join(folder, "set-up.sql");
  writeFileSync(setUp, `CREATE USER ${USER}@localhost IDENTIFIED BY '${PASSWORD}';\n`);
  const options = ["--no-defaults", `--datadir=${data}`, "--user=root"];
  execFileSync("mariadb-install-db", [...options, "--skip-test-db"], { stdio: "ignore" });
  const database = spawn(
    "/usr/sbin/mariadbd",
    [...options, `--socket=${socket}`, "--skip-networking", `--init-file=${setUp}`],
    { stdio: "ignore" },
  );
  await until(() => existsSync(socket));
  return { socket, stop: () => void database.kill() };
}

/** phpMyAdmin from a copy of its files, since their settings are in one place of the machine. */
async function startPhpMyAdmin(folder: string, settings: Readonly<Record<string, string>>) {
  const files = join(folder, "phpmyadmin");
  if (!existsSync(files)) cpSync(PACKAGE, files, { recursive: true, dereference: true });
  const places = join(files, "libraries", "vendor_config.php");
  const temporary = join(folder, "temporary");
  mkdirSync(temporary, { recursive: true });
  const config = join(folder, "config.inc.php");
  const text = readFileSync(places, "utf8")
    .replace(/'configFile' => .*/, `'configFile' => '${config}',`)
    .replace(/'tempDir' => .*/, `'tempDir' => '${temporary}/',`);
  writeFileSync(places, text);
  const { socket, ...captcha } = settings;
  const lines = Object.entries(captcha).map(([name, value]) => `$cfg['${name}'] = '${value}';`);
  writeFileSync(
    config,
    `<?php
$cfg['blowfish_secret'] = '${"0123456789abcdef".repeat(2)}';
$cfg['Servers'][1] = ['auth_type' => 'cookie', 'host' => 'localhost', 'socket' => '${socket}'];
${lines.join("\n")}
`,
  );
  const port = await freePort();
  const php = spawn("/usr/bin/php", ["-S", `127.0.0.1:${port}`, "-t", files], { stdio: "ignore" });
  const url = `http://localhost:${port}/index.php`;
  const address = url.replace("localhost", "127.0.0.1");
  await until(() =>
    fetch(address).then(
      () => true,
      () => false,
    ),
  );
  return { url, address, stop: () => void php.kill() };
}

/** Sends the login form without a browser. Returns whether the visitor is let in. */
async function logIn(address: string, response: string): Promise<boolean> {
  const page = await fetch(address);
  const cookie = page.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  const html = await page.text();
  const fieldOf = (name: string): string =>
    new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";
  const fields = {
    route: "/",
    server: "1",
    set_session: fieldOf("set_session"),
    token: fieldOf("token"),
    pma_username: USER,
    pma_password: PASSWORD,
    "g-recaptcha-response": response,
  };
  const answer = await fetch(`${address}?route=/`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { cookie },
    redirect: "manual",
  });
  return answer.headers.getSetCookie().some((line) => line.startsWith("pmaAuth-1="));
}

async function rowOf(
  browser: Browser,
  base: string,
  site: OperatorSite,
  place: { readonly folder: string; readonly socket: string; readonly method: Method },
): Promise<Row> {
  const { folder, socket, method } = place;
  const version = readFileSync(join(PACKAGE, "libraries/classes/Version.php"), "utf8");
  const row = {
    library: `phpMyAdmin, ${method} (Debian)`,
    version: /VERSION = '([\d.]+)/.exec(version)?.[1] ?? "unknown",
    level: "application" as const,
    thrown: [],
  };
  const { url, address, stop } = await startPhpMyAdmin(folder, {
    socket,
    CaptchaMethod: method,
    CaptchaApi: `${base}/recaptcha/api.js`,
    CaptchaCsp: base,
    CaptchaRequestParam: "g-recaptcha",
    CaptchaResponseParam: "g-recaptcha-response",
    CaptchaSiteVerifyURL: `${base}/recaptcha/api/siteverify`,
    CaptchaLoginPublicKey: site.siteKey,
    CaptchaLoginPrivateKey: site.secretKey,
  });
  const context = await newVisitor(browser);
  const wrong: string[] = [];
  try {
    const page = await context.newPage();
    const pressLogIn = async (): Promise<void> => {
      await page.goto(url);
      await pressByHand(page, "#input_username");
      await page.keyboard.type(USER, { delay: 60 });
      await pressByHand(page, "#input_password");
      await page.keyboard.type(PASSWORD, { delay: 60 });
      await pressByHand(page, "#input_go");
    };
    // The first form is stopped on its way and sent from here, so that its token can be sent twice.
    const sent = new Promise<string>((resolve) => {
      page.route(
        ({ pathname }) => pathname.endsWith("/index.php"),
        (route) => {
          const body = route.request().method() === "POST" ? route.request().postData() : null;
          const response = new URLSearchParams(body ?? "").get("g-recaptcha-response");
          if (response === null) return route.continue();
          resolve(response);
          return route.abort();
        },
      );
    });
    await pressLogIn();
    const token = await sent;
    const passes = await logIn(address, token);
    const forged = `${token.slice(0, 60)}${token[60] === "A" ? "B" : "A"}${token.slice(61)}`;
    const bad = { replayed: token, forged, missing: "", pending: "pending" };
    for (const [name, response] of Object.entries(bad))
      if (await logIn(address, response)) wrong.push(name);
    await page.unrouteAll();
    await pressLogIn();
    await page.locator("#pma_navigation").waitFor({ timeout: PATIENCE_MS });
    return { ...row, passes, wrong, remark: "logs in to its database" };
  } catch (error) {
    const said = String((error as Error).message).split("\n")[0] ?? "";
    return { ...row, passes: false, wrong, remark: said };
  } finally {
    await context.close();
    stop();
  }
}

/** Logs in with both of its methods. Without its packages there are no rows. */
export async function phpMyAdminRows(
  browser: Browser,
  base: string,
  site: OperatorSite,
): Promise<readonly Row[]> {
  if (!NEEDED.every((file) => existsSync(file))) return [];
  const folder = mkdtempSync(join(tmpdir(), "stile-phpmyadmin-"));
  const { socket, stop } = await startDatabase(folder);
  try {
    const rows: Row[] = [];
    for (const method of METHODS)
      rows.push(await rowOf(browser, base, site, { folder, socket, method }));
    return rows;
  } finally {
    stop();
    rmSync(folder, { recursive: true, force: true });
  }
}
