import { dirname, join, relative } from "node:path";
import { build, type Plugin } from "vite";

const root = import.meta.dirname;

/** The programs: the service, its command line, and the health check of the container. */
const PROGRAMS = { main: "main.ts", stile: "cli/main.ts", ready: "cli/ready.ts" };

/** Programs by name with their entry files, and the output folder. */
type Programs = { readonly input: Readonly<Record<string, string>>; readonly outDir: string };

const OWN_DIRECTORY = "import.meta.dirname";
const OWN_THREAD = /new URL\("\.\/([\w-]+)\.ts", import\.meta\.url\)/g;

/** Lets a built module find the files and threads next to its source. Threads are built too. */
const ownPlace = (outDir: string): Plugin => ({
  name: "own-place",
  enforce: "pre",
  transform(code, id) {
    if (!code.includes("import.meta.")) return;
    const place = JSON.stringify(`/${relative(outDir, dirname(id)).replaceAll("\\", "/")}`);
    return code
      .replaceAll(OWN_DIRECTORY, `(${OWN_DIRECTORY} + ${place})`)
      .replaceAll(OWN_THREAD, (_all, name: string) => {
        this.emitFile({
          type: "chunk",
          id: join(dirname(id), `${name}.ts`),
          fileName: `${name}.js`,
        });
        return `new URL("./${name}.js", import.meta.url)`;
      });
  },
});

/**
 * Importing names from `node:http` makes Node read all of its exports. Some of these load WebSocket
 * support (undici), which nothing here uses: a quarter of the CPU time of a start.
 * `process.getBuiltinModule` avoids that.
 */
const httpAlone: Plugin = {
  name: "http-alone",
  renderChunk: (code) =>
    code.replace(/^import \{(.*)\} from "node:http";$/gm, (_all, names: string) => {
      return `const {${names.replaceAll(" as ", ": ")}} = process.getBuiltinModule("node:http");`;
    }),
};

const sharedBy = (name: string, test: RegExp, priority: number) => ({ name, test, priority });

/**
 * Modules that several programs and commands load, in few files, since each file costs a start 0.3
 * ms of CPU. A group holds the modules that match and all that they import, except those of a group
 * with a higher priority.
 */
const SHARED = [
  sharedBy("names", /server.(version|command-line|risk.network-kinds)\.ts$/, 4),
  sharedBy("settings", /server.(config.config|cli.fail)\.ts$/, 3),
  sharedBy("sqlite", /stores.sqlite.(sqlite|threaded)-store\.ts$/, 2),
  sharedBy(
    "operate",
    /server.(cli.(perform|operator-ports|no-installation)|data-directory.data-directory|lifecycle.first-start)\.ts$/,
    1,
  ),
];

/**
 * Builds server programs, each as few files with its dependencies included; prints only warnings.
 */
export async function buildPrograms({ input, outDir }: Programs): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: "warn",
    plugins: [ownPlace(outDir), httpAlone],
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      license: { fileName: "licenses.md" },
      target: "esnext",
      minify: false,
      rolldownOptions: {
        input,
        output: {
          entryFileNames: "[name].js",
          chunkFileNames: "[name]-[hash].js",
          codeSplitting: { groups: [...SHARED] },
        },
      },
    },
  });
}

/** Builds the service, its command line and its health check into dist/. */
export async function buildServer(): Promise<void> {
  const input = Object.fromEntries(
    Object.entries(PROGRAMS).map(([name, path]) => [name, join(root, path)]),
  );
  await buildPrograms({ input, outDir: join(root, "dist") });
}
