import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { serveRoutes } from "@stile/testkit/contract/serve-routes";
import { CONSOLE_MESSAGES, createDocsPage } from "./docs-page.ts";

const served = await serveRoutes(createDocsPage());
after(served.stop);

const WIDGET = join(import.meta.dirname, "../../../widget");

test("explains every name that the widget writes to a console, each under its own anchor", async () => {
  const page = await (await fetch(`${served.baseUrl}/docs`)).text();
  const errors = readFileSync(join(WIDGET, "machine/widget-error.ts"), "utf8");
  const list = /WIDGET_ERROR_NAMES = \[([^\]]*)\]/.exec(errors)?.[1] ?? "";
  const sources = readdirSync(WIDGET, { recursive: true, encoding: "utf8" })
    .filter(
      (file) =>
        /^(element|languages|vendors)\/[\w-]+\.ts$|^define\.ts$/.test(file) &&
        !file.includes(".test."),
    )
    .map((file) => readFileSync(join(WIDGET, file), "utf8"))
    .join("\n");
  const told = [
    ...sources.matchAll(
      /(?:reportToOwner|warnOwner|reportFault)\([\w.#()"\s]*?,\s*(?:\{ name: )?"(\w+)"/g,
    ),
    ...sources.matchAll(/`stile: (\w+)\. /g),
  ].map(([, name = ""]) => name);
  const names = [...[...list.matchAll(/"(\w+)"/g)].map(([, name = ""]) => name), ...told];
  assert.ok(told.includes("token_pending") && told.includes("endpoint_unknown"), told.join());
  for (const name of names) assert.ok(page.includes(`<div id="${name}">`), name);
  assert.deepEqual([...new Set(names)].sort(), Object.keys(CONSOLE_MESSAGES).sort());
});
