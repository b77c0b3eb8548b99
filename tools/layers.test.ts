import assert from "node:assert/strict";
import { globSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { findCycles, findViolations, readSources } from "./layers.ts";

const root = join(import.meta.dirname, "..");
const sources = readSources(
  root,
  globSync("{packages,trials}/**/*.{ts,tsx}", {
    cwd: root,
    exclude: (name) => name === "node_modules" || name === "dist",
  }),
);

test("imports between layers point down only", () => {
  assert.ok(sources.length > 10, "the glob must find the sources");
  assert.deepEqual(findViolations(sources), []);
});

const MAY_NOT_IMPORT: Readonly<Record<string, string>> = {
  tools: "e2e|trials",
  trials: "e2e",
  e2e: "tools|trials",
};

test("tools, trials and scenarios do not import each other, except that trials import tools", () => {
  const others = readSources(root, globSync("{tools,trials,e2e}/**/*.ts", { cwd: root }));
  const crossing = others.filter(({ path, text }) => {
    const forbidden = MAY_NOT_IMPORT[path.split("/")[0] ?? ""];
    return new RegExp(`(?:from|import\\()\\s*"(?:\\.\\./)+(?:${forbidden})/`).test(text);
  });
  assert.deepEqual([others.length > 100, crossing.map(({ path }) => path)], [true, []]);
});

test("no imports form a cycle", () => {
  assert.deepEqual(findCycles(sources.filter((file) => !file.path.endsWith(".test.ts"))), []);
});

test("the layer check detects an upward import, even a late one, an impure call, a schema in a browser, and a cycle", () => {
  const bad = [
    { path: "packages/core/domain/a.ts", text: 'import { b } from "../services/token/b.ts";' },
    {
      path: "packages/core/services/token/b.ts",
      text: 'import { a } from "../../domain/a.ts";\nexport const t = Date.now();',
    },
    {
      path: "packages/server/http/c.ts",
      text: 'import { s } from "@stile/stores/sqlite/sqlite-store";',
    },
    { path: "packages/widget/d.ts", text: 'import { s } from "@stile/protocol/schemas/site";' },
    {
      path: "packages/dashboard/e.tsx",
      text: 'import { s } from "@stile/protocol/schemas/dashboard";',
    },
    {
      path: "packages/server/http/g.ts",
      text: 'const { s } = await import(\n  "@stile/stores/sqlite/sqlite-store"\n);',
    },
    {
      path: "packages/core/services/site/h.ts",
      text: 'import { b } from "../token/b.ts";',
    },
    {
      path: "packages/core/use-cases/site/i.ts",
      text: 'import { j } from "./j.ts";\nimport { h } from "../../services/site/h.ts";',
    },
    {
      path: "packages/core/services/flows/k.ts",
      text: "export const k = 1;",
    },
    {
      path: "packages/server/http/l.ts",
      text: 'import type { m } from "@stile/core/no-script/m";',
    },
    {
      path: "packages/server/optional/no-script/n.ts",
      text: 'import { m } from "@stile/core/no-script/m";\nimport { d } from "../signed-bots/d.ts";',
    },
    {
      path: "packages/server/compose/o.ts",
      text: 'import { n } from "../optional/no-script/n.ts";',
    },
    { path: "packages/dashboard/f.tsx", text: 'import { a } from "@stile/core/domain/a";' },
    {
      path: "packages/risk/h.ts",
      text: "import { t } from '../../trials/risk/training/train.ts';",
    },
    {
      path: "trials/risk/training/i.ts",
      text: 'import { s } from "@stile/stores/sqlite/sqlite-store";\nexport const t = Math.random();',
    },
  ];
  assert.deepEqual(findViolations(bad), [
    "packages/core/domain/a.ts: packages/core/domain may not import packages/core/services/token/b.ts",
    "packages/core/services/token/b.ts: time or randomness must be an argument",
    "packages/server/http/c.ts: packages/server/http may not import packages/stores/sqlite/sqlite-store.ts",
    "packages/widget/d.ts: schemas (zod) must not reach the browser",
    "packages/dashboard/e.tsx: schemas (zod) must not reach the browser",
    "packages/server/http/g.ts: packages/server/http may not import packages/stores/sqlite/sqlite-store.ts",
    "packages/core/services/site/h.ts: site is below packages/core/services/token/b.ts",
    "packages/core/use-cases/site/i.ts: a use case may not import packages/core/use-cases/site/j.ts",
    "packages/core/services/flows/k.ts: flows is no subject",
    "packages/server/http/l.ts: packages/core/no-script/m.ts is of an optional part",
    "packages/server/optional/no-script/n.ts: packages/server/optional/signed-bots/d.ts is of an optional part",
    "packages/dashboard/f.tsx: packages/dashboard may not import packages/core/domain/a.ts",
    "packages/risk/h.ts: packages/risk may not import trials/risk/training/train.ts",
    "trials/risk/training/i.ts: time or randomness must be an argument",
  ]);
  assert.equal(findCycles(bad).length, 1);
});
