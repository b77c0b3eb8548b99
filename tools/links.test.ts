import assert from "node:assert/strict";
import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { test } from "node:test";

const root = join(import.meta.dirname, "..");
const FOLDERS = "{docs,packages,sdk,examples,deploy,trials}";
const PAGES = ["*.md", `${FOLDERS}/**/*.md`];
const pages = globSync(PAGES, { cwd: root, exclude: (path) => /node_modules|dist/.test(path) });

/** A page's text without its samples of code. */
const proseOf = (page: string): string =>
  readFileSync(join(root, page), "utf8").replace(/^ *```.*?^ *```$/gms, "");

/** The links of a page, in Markdown or HTML, except to other hosts. */
function linksOf(page: string): string[] {
  const found = proseOf(page).matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]+)"/g);
  return [...found]
    .map(([, link, source]) => link ?? source ?? "")
    .filter((link) => !/^[a-z]+:/.test(link));
}

/**
 * The anchors that a page sets itself, and those of its headings as GitHub makes them; equal ones
 * after the first get a number.
 */
function anchorsOf(page: string): Set<string> {
  const anchors = new Set([...proseOf(page).matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));
  for (const [, heading = ""] of proseOf(page).matchAll(/^#+ (.+)$/gm)) {
    const words = heading.replace(/\]\([^)]*\)/g, "").toLowerCase();
    const anchor = words.replace(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-");
    let name = anchor;
    for (let at = 1; anchors.has(name); at++) name = `${anchor}-${at}`;
    anchors.add(name);
  }
  return anchors;
}

test("every link of a page leads to an existing file, and to a heading in it", () => {
  const links = pages.flatMap((page) => linksOf(page).map((link) => ({ page, link })));
  assert.ok(links.length > 400);
  const dead = links.filter(({ page, link }) => {
    const [path = "", anchor] = link.split("#");
    const target = path === "" ? page : join(dirname(page), path);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && target.endsWith(".md") && !anchorsOf(target).has(anchor);
  });
  assert.deepEqual(dead, []);
});

test("a page shows every picture of the guide", () => {
  const shown = new Set(pages.flatMap((page) => linksOf(page).map((link) => basename(link))));
  const pictures = readdirSync(join(root, "docs", "guide", "images"));
  assert.ok(pictures.length > 10);
  assert.deepEqual(
    pictures.filter((picture) => !shown.has(picture)),
    [],
  );
});
