import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { loadWidgetFiles } from "./widget-files.ts";

/**
 * Names that a stile.js of the previous version may still import. It stays in a cache for five
 * minutes, and in a page as long as that is open, and loads scripts of this version. Names are only
 * added. A name is removed a version after its last use in stile.js.
 */
const ASKED_FOR = {
  "/run.js": ["startRun"],
  "/collector.js": ["collectEnvironment"],
  "/solver-fallback.js": ["solveHere"],
  "/error-texts.js": ["errorTextOf"],
  "/trouble.js": ["trouble"],
  "/waiting-button.js": ["watchAim"],
  "/test-ribbon.js": ["showRibbon"],
  "/surface.js": ["surface"],
  // Used by a frame that was loaded before.
} as const;
const SURFACE =
  "collect execute fetch withStrings listen render renderByClass ready callOnload".split(" ");
const LANGUAGES =
  "ar bg ca cs da de el es et fa fi fr ga he hi hr hu id it ja ko lt lv ms mt nb nl pl pt pt-BR ro ru sk sl sv th tr uk vi zh-CN zh-TW";

const files = loadWidgetFiles(join(import.meta.dirname, "..", "..", "..", "widget", "dist"));

async function load(path: string): Promise<Readonly<Record<string, unknown>>> {
  const plain = files.get(path)?.plain ?? assert.fail(`${path} is served no more`);
  return (await import(
    `data:text/javascript;base64,${Buffer.from(plain).toString("base64")}`
  )) as Record<string, unknown>;
}

test("offers a page opened before an upgrade each script that it loads later, with each name it imports", async () => {
  for (const [path, names] of Object.entries(ASKED_FOR)) {
    const module = await load(path);
    for (const name of names) assert.ok(name in module, `${path} has no ${name}`);
  }
  const { surface } = await load("/surface.js");
  for (const name of SURFACE)
    assert.equal(typeof (surface as Record<string, unknown>)[name], "function", name);
  for (const path of ["/stile.js", "/frame", "/frame.js", "/solver-worker.js"])
    assert.ok(files.has(path), path);
  for (const language of LANGUAGES.split(" "))
    assert.ok(files.has(`/languages/${language}.json`), language);
});

test("serves the widget's types to authors of TypeScript pages as text, never as a script", () => {
  const { plain, type } = files.get("/stile.d.ts") ?? assert.fail("not served");
  assert.match(Buffer.from(plain).toString(), /interface Window \{\s+readonly stile: Stile;/);
  assert.match(type, /^text\/plain/);
});

test("has no words for an unknown error of another stile.js, which then shows its own", async () => {
  const { errorTextOf } = (await load("/error-texts.js")) as {
    errorTextOf: (error: object) => string | undefined;
  };
  // An older script may know errors by other names, and then uses its own words.
  assert.equal(errorTextOf({ name: "made_up_before" }), undefined);
  assert.match(errorTextOf({ name: "sitekey_missing" }) ?? "", /sitekey attribute is missing/);
});
