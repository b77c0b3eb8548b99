// Pages with Stile's own components, rendered on a server and hydrated in a browser.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { compileSvelte } from "./client-rows.ts";
import { load } from "./install.ts";

const HERE = import.meta.dirname;
const SDK = join(HERE, "..", "sdk");

/** The frameworks, with the app of each in `components/`. */
export const FRAMEWORKS = { react: "react.jsx", vue: "vue.js", svelte: "svelte.js" } as const;
export type Framework = keyof typeof FRAMEWORKS;

async function bundle(
  contents: string,
  { isServer = false, ...given }: Readonly<Record<string, unknown>>,
): Promise<string> {
  const { build } = await load("esbuild");
  const { outputFiles } = await build({
    stdin: { contents, resolveDir: join(HERE, "components"), loader: "js" },
    bundle: true,
    write: false,
    target: "es2022",
    jsx: "automatic",
    // Not the preact of the repository.
    jsxImportSource: "react",
    tsconfigRaw: {},
    logLevel: "error",
    alias: {
      "@stile/react": join(SDK, "react/stile.js"),
      "@stile/vue": join(SDK, "vue/stile.js"),
      svelte: "svelte5",
      "@stile/svelte": join(SDK, "svelte/stile.js"),
      "@stile/widget": join(SDK, "widget/load-stile.js"),
      "@stile/widget/component": join(SDK, "widget/component.js"),
    },
    plugins: [await compileSvelte("svelte5/compiler", isServer ? "server" : "client")],
    nodePaths: [join(HERE, "node_modules")],
    ...given,
  });
  return outputFiles[0].text;
}

const DEVELOPMENT = {
  "process.env.NODE_ENV": '"development"',
  __VUE_OPTIONS_API__: "true",
  __VUE_PROD_DEVTOOLS__: "false",
  __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "true",
};

/**
 * A server that renders the component with these options, in a page that hydrates it; with `late`
 * in its address, the page has `stile.js` itself and hydrates when `start` is called.
 */
export async function serveComponent(framework: Framework) {
  const app = JSON.stringify(`./${FRAMEWORKS[framework]}`);
  const define = DEVELOPMENT;
  const onServer = bundle(`export { render } from ${app};`, {
    isServer: true,
    format: "esm",
    define,
    platform: "neutral",
    mainFields: ["module", "main"],
    conditions: ["module"],
  });
  const code = await bundle(
    `import { hydrate } from ${app}; window.events = [];
window.start = () => { window.unmount = hydrate(document.querySelector("#root"), window.options); };
if (!window.isLate) window.start();`,
    { format: "iife", define },
  );
  const folder = mkdtempSync(join(tmpdir(), "stile-component-"));
  const file = join(folder, "server.mjs");
  writeFileSync(file, await onServer);
  const { render } = await load(pathToFileURL(file).href);
  rmSync(folder, { recursive: true });
  const server = createServer(async ({ url = "/" }, response) => {
    const { pathname, searchParams } = new URL(url, "http://localhost");
    if (pathname === "/app.js") {
      response.writeHead(200, { "Content-Type": "text/javascript" }).end(code);
      return;
    }
    const options = searchParams.get("options") ?? "{}";
    const markup = await render(JSON.parse(options));
    const isLate = searchParams.has("late");
    const script = `<script src="${JSON.parse(options).baseUrl}/stile.js" async></script>`;
    response.writeHead(200, { "Content-Type": "text/html" });
    response.end(`<!doctype html><html lang="en"><title>Shop</title><link rel="icon" href="data:,">
${isLate ? script : ""}
<div id="root">${markup}</div><script>Object.assign(window, { options: ${options}, isLate: ${isLate} })</script><script src="/app.js"></script></html>`);
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    urlFor: (options: Readonly<Record<string, unknown>>): string =>
      `http://localhost:${port}/?${new URLSearchParams({ options: JSON.stringify(options) })}`,
    stop: () => server.close(),
  };
}

/** What a component adds to a bundle that has the loader, in bytes after gzip. */
export async function sizeOf(framework: Framework): Promise<number> {
  const given = { format: "esm", minify: true, external: ["react", "vue", "svelte5"] };
  const loader = 'export { loadStile } from "@stile/widget";';
  const [alone, both] = await Promise.all([
    bundle(loader, given),
    bundle(`${loader} export { Stile } from "@stile/${framework}";`, given),
  ]);
  return gzipSync(both).length - gzipSync(alone).length;
}
