// `node tools/widget-api.ts` writes, from the widget's sources, packages/widget/types/stile.d.ts: the
// types of what pages may call and receive.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WIDGET_ERROR_NAMES } from "@stile/widget/machine/widget-error";

const ROOT = join(import.meta.dirname, "..");
const TYPES = join(ROOT, "packages/widget/types/stile.d.ts");
/** Imports, and functions that only the widget's own scripts call. */
const NOT_SURFACE =
  /^import .*\n|(^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n)?^export declare (?:function|const [^:=]+(?:= "|: \())[\s\S]*?;\n/gm;

/** The declarations of these sources as they are now, without what pages cannot use. */
function declare(files: readonly string[]): string[] {
  const out = mkdtempSync(join(tmpdir(), "stile-widget-api-"));
  try {
    const flags = [
      "--noEmit",
      "false",
      "--declaration",
      "--emitDeclarationOnly",
      "--rewriteRelativeImportExtensions",
    ];
    const compiler = join(ROOT, "node_modules/.bin/tsc");
    const project = join(ROOT, "packages/widget");
    execFileSync(compiler, [
      "-p",
      project,
      ...flags,
      "--outDir",
      out,
      "--rootDir",
      join(ROOT, "packages"),
    ]);
    return files.map((file) =>
      readFileSync(join(out, "widget", file.replace(".ts", ".d.ts")), "utf8").replace(
        NOT_SURFACE,
        "",
      ),
    );
  } finally {
    rmSync(out, { recursive: true });
  }
}

const unionOf = (names: Iterable<string>): string =>
  [...names].map((name) => `"${name}"`).join(" | ");

/** The types for pages: of `window.stile`, of the element and of its events. */
export function declareTypes(): string {
  const [stile = "", collect = ""] = declare(["stile.ts", "collect.ts"]);
  const states = readFileSync(join(ROOT, "packages/widget/machine/widget-state.ts"), "utf8");
  const stateNames = new Set(
    [...states.matchAll(/readonly name: "(\w+)"/g)].map(([, name = ""]) => name),
  );
  return `// The types of Stile's widget for pages in TypeScript: docs/reference/widget.md says how to use
// them. Written by tools/widget-api.ts.

${stile}
${collect}
/** Why the widget stopped, by name. */
export type WidgetErrorName = ${unionOf(WIDGET_ERROR_NAMES)};
/** The detail of \`stile:error\`. */
export type WidgetError = {
    readonly name: WidgetErrorName;
    /** Depending on the error: the page's host, the seconds to wait, or an attribute. */
    readonly detail?: string | undefined;
    /** The service's id of the refused request. */
    readonly requestId?: string | undefined;
};
/** The states of a widget. */
export type WidgetStateName = ${unionOf(stateNames)};
/** \`<stile-captcha>\`. */
export interface StileCaptcha extends HTMLElement {
    /**
     * The token, or an empty string; what went out with the form's submission stays until the next
     * is there.
     */
    readonly value: string;
    readonly state: WidgetStateName;
    readonly form: HTMLFormElement | null;
    /**
     * Whether the \`submit\` event being handled repeats one that was held: only listeners before
     * the widget's see both.
     */
    readonly isResubmitting: boolean;
    /** Drops the token and starts again. */
    reset(): void;
}
/**
 * The attributes of \`<stile-captcha>\` in JSX: callbacks are names of functions of the page,
 * \`strings\` is JSON, and yes or no is a text, since React leaves out an attribute that is false.
 */
export type StileCaptchaAttributes = { form?: string } & {
    [Name in keyof RenderParameters]?: RenderParameters[Name] extends boolean | undefined
        ? "true" | "false"
        : RenderParameters[Name] extends string | number | undefined
          ? RenderParameters[Name]
          : string;
};
declare global {
    const stile: Stile;
    interface Window {
        readonly stile: Stile;
    }
    interface HTMLElementTagNameMap {
        "stile-captcha": StileCaptcha;
    }
    interface HTMLElementEventMap {
        "stile:statechange": CustomEvent<{ readonly state: WidgetStateName }>;
        "stile:verified": CustomEvent<{ readonly token: string }>;
        "stile:expired": CustomEvent<object>;
        "stile:interactive": CustomEvent<object>;
        "stile:unsupported": CustomEvent<object>;
        "stile:error": CustomEvent<WidgetError>;
    }
}
`;
}

if (import.meta.main) writeFileSync(TYPES, declareTypes());
