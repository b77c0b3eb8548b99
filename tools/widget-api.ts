// `node tools/widget-api.ts` writes docs/reference/widget-api.md: the types of what pages may call and hear, from the widget's sources.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "..");
const REPORT = join(ROOT, "docs/reference/widget-api.md");
/** The sources whose declarations are the surface. */
const SURFACE = ["stile.ts", "collect.ts", "element/stile-captcha.ts", "machine/widget-error.ts"];

/** Imports, what is private, and functions that only the widget's own scripts call. */
const NOT_SURFACE =
  /^(import .*| +#private;| +constructor.*)\n|(^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export declare (?:function|const [^:=]+(?:= "|: \())[\s\S]*?;\n/gm;

/** The declarations of the widget's surface as its sources have them now; what is private is left out. */
export function declareSurface(): string {
  const out = mkdtempSync(join(tmpdir(), "stile-widget-api-"));
  try {
    const flags = ["--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--rewriteRelativeImportExtensions"];
    const compiler = join(ROOT, "node_modules/.bin/tsc");
    const project = join(ROOT, "packages/widget");
    execFileSync(compiler, ["-p", project, ...flags, "--outDir", out, "--rootDir", join(ROOT, "packages")]);
    const parts = SURFACE.map((file) => {
      const declared = readFileSync(join(out, "widget", file.replace(".ts", ".d.ts")), "utf8");
      return `// ${file}\n${declared.replace(NOT_SURFACE, "")}`;
    });
    const types = parts.join("\n");
    return `# The widget, as types\n\nWritten by \`node tools/widget-api.ts\` from \`packages/widget\`; [the widget](widget.md) explains them.\n\n\`\`\`ts\n${types}\`\`\`\n`;
  } finally {
    rmSync(out, { recursive: true });
  }
}

if (import.meta.main) writeFileSync(REPORT, declareSurface());
