import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { type TestContext, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { askBrowser } from "./ask-browser.ts";
import { openBakePage } from "./bake-page.ts";
import { findBrowsers } from "./installed-browsers.ts";

const SCENES = Array.from({ length: 25 }, (_, index) => `<a>\nh00\n.a{width:${4 * index}px}`);
const READER = new TextEncoder().encode("export const readLayout = () => new Uint8Array(2);");

async function opened(context: TestContext) {
  const progress: number[] = [];
  const page = await openBakePage(SCENES, READER, (answered) => progress.push(answered));
  context.after(page.close);
  const answer = async (at: number | string, bytes: Uint8Array<ArrayBuffer>): Promise<number> =>
    (await fetch(`${page.url}answers?at=${at}`, { method: "POST", body: bytes })).status;
  return { page, progress, answer };
}

test("the page hands out its scenes under its secret path alone, and may load nothing else", async (context) => {
  const { page, progress } = await opened(context);
  const [document, scenes] = [await fetch(page.url), await fetch(`${page.url}scenes`)];
  assert.match(document.headers.get("content-security-policy") ?? "", /^default-src 'none'; script-src 'self'/);
  assert.deepEqual(await scenes.json(), SCENES);
  const { origin } = new URL(page.url);
  for (const path of ["/", "/scenes", "/bake.js", `/${"0".repeat(32)}/scenes`]) {
    assert.equal((await fetch(origin + path)).status, 404, path);
  }
  assert.equal((await fetch(`${origin}/answers?at=0`, { method: "POST", body: new Uint8Array(320) })).status, 404);
  assert.deepEqual(progress, [0, 0], "a browser that loads it is alive");
});

test("answers are taken in their order, once, and of the right length only", async (context) => {
  const { page, progress, answer } = await opened(context);
  const first = new Uint8Array(320).fill(1);
  const last = new Uint8Array(80).fill(2);
  for (const [at, bytes] of [
    [20, last],
    [0, last],
    ["x", first],
    [-20, first],
  ] as const)
    assert.equal(await answer(at, bytes), 400);
  assert.deepEqual([await answer(0, first), await answer(0, first), await answer(20, last)], [200, 400, 200]);
  assert.deepEqual(progress, [20, 25]);
  assert.deepEqual(await page.answered, Uint8Array.from([...first, ...last]));
});

function folderWith(context: TestContext, name: string, script: string): string {
  const folder = mkdtempSync(join(tmpdir(), "stile-browsers-"));
  context.after(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), script);
  chmodSync(join(folder, name), 0o755);
  return folder;
}

test("browsers are found on the path, one of each family, the first that is there", (context) => {
  const first = folderWith(context, "firefox-esr", "");
  const second = folderWith(context, "firefox", "");
  const found = findBrowsers([second, first, "/nowhere"].join(delimiter)).filter(({ engine }) => engine === "gecko");
  assert.deepEqual(found, [{ engine: "gecko", name: "Firefox", file: join(second, "firefox") }]);
});

test("a browser that ends before it has answered, by itself or by a signal, is named, with what to do", async (context) => {
  for (const end of ["exit 3", "kill -KILL $$"]) {
    const file = join(folderWith(context, "firefox", `#!/bin/sh\n${end}\n`), "firefox");
    const browser = { engine: "gecko", name: "Firefox", file } as const;
    const asking = askBrowser({ browser, ratio: 1, scenes: SCENES, reader: READER, onProgress: () => {} });
    await assert.rejects(asking, {
      name: "BrowserSilent",
      message: `Firefox (${file}) ended before it had answered. Start it once by hand, and fix what it says.`,
    });
  }
});

test("a browser is told none of the service's settings, which are secrets or lead to them", async (context) => {
  const folder = folderWith(context, "firefox", "");
  const file = join(folder, "firefox");
  writeFileSync(file, `#!/bin/sh\nenv > ${folder}/env\n`);
  const before = process.env.STILE_MASTER_KEY;
  context.after(() => {
    if (before === undefined) delete process.env.STILE_MASTER_KEY;
    else process.env.STILE_MASTER_KEY = before;
  });
  process.env.STILE_MASTER_KEY = "a secret";
  const browser = { engine: "gecko", name: "Firefox", file } as const;
  const asking = askBrowser({ browser, ratio: 1, scenes: SCENES, reader: READER, onProgress: () => {} });
  await assert.rejects(asking, { name: "BrowserSilent" });
  const told = readFileSync(join(folder, "env"), "utf8");
  assert.match(told, /^PATH=/m);
  assert.doesNotMatch(told, /STILE_|a secret/);
});

/** In another process, asks a browser that never answers. Once the file `pid` exists, the browser is running. */
const ASK_FOR_EVER = `
  const { askBrowser } = await import(process.env.ASKING);
  const browser = { engine: "gecko", name: "Firefox", file: process.env.BROWSER };
  await askBrowser({ browser, ratio: 1, scenes: ["<a>"], reader: new Uint8Array(), onProgress: () => {} });
`;

test("where no browser can be given a profile that is the fault, and nobody waits for one that was not started", async () => {
  const env = {
    ...process.env,
    TMPDIR: "/proc/none",
    BROWSER: "/none",
    ASKING: join(import.meta.dirname, "ask-browser.ts"),
  };
  const script = `try { ${ASK_FOR_EVER} } catch (fault) { console.log(fault.syscall) }`;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "--eval", script], {
    env,
    encoding: "utf8",
  });
  assert.deepEqual([status, stdout, stderr], [0, "mkdtemp\n", ""]);
});

/** A process that has ended but was not waited for has the state Z. */
function isAlive(pid: string): boolean {
  const file = `/proc/${pid}/stat`;
  return existsSync(file) && !/\) Z /.test(readFileSync(file, "utf8"));
}

test("whoever ends the command ends the browser that it asks, and leaves no profile", {
  skip: !existsSync("/proc/self/stat"),
}, async (context) => {
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    const folder = folderWith(context, "firefox", '#!/bin/sh\necho $$ > "$TMPDIR/pid"\nsleep 600 &\nwait\n');
    const env = {
      ...process.env,
      TMPDIR: folder,
      BROWSER: join(folder, "firefox"),
      ASKING: join(import.meta.dirname, "ask-browser.ts"),
    };
    const command = spawn(process.execPath, ["--input-type=module", "--eval", ASK_FOR_EVER], { env, stdio: "ignore" });
    const ended = once(command, "exit");
    const read = (): string =>
      existsSync(join(folder, "pid")) ? readFileSync(join(folder, "pid"), "utf8").trim() : "";
    while (read() === "") await delay(10);
    const pid = read();
    context.after(() => isAlive(pid) && process.kill(-Number(pid), "SIGKILL"));
    command.kill(signal);
    assert.deepEqual(await ended, [null, signal]);
    for (const sinceMs = performance.now(); isAlive(pid) && performance.now() - sinceMs < 5_000; ) await delay(10);
    assert.equal(isAlive(pid), false, signal);
    assert.deepEqual(
      readdirSync(folder).filter((name) => name.startsWith("stile-bake-")),
      [],
    );
  }
});
