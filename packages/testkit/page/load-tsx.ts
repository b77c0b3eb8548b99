// Lets `node:test` import the pages: Node strips types, but does not compile the markup of a .tsx.
// Import this first, then the page by `await import(…)`. Compiler and settings are those with which
// the dashboard is built.
import { readFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { fileURLToPath } from "node:url";
import { transformSync } from "rolldown/utils";

registerHooks({
  load(url, context, nextLoad) {
    if (!url.endsWith(".tsx")) return nextLoad(url, context);
    const path = fileURLToPath(url);
    const jsx = { runtime: "automatic", importSource: "preact" } as const;
    const { code, errors } = transformSync(path, readFileSync(path, "utf8"), { jsx });
    if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join("\n"));
    return { format: "module", source: code, shortCircuit: true };
  },
});
