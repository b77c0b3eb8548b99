import type { SiteData } from "@stile/protocol/dashboard-api";
import { SPOKEN } from "@stile/protocol/languages";
import { SNIPPET_ACTION, type Snippet } from "./snippet.ts";

/** The facts that fill in the code for the page. */
export type PageFacts = Pick<SiteData, "siteKey" | "mode" | "noScript" | "theme" | "language"> & {
  readonly baseUrl: string;
};

/**
 * The service sends a widget its look only with the challenge; in the page's code it applies from
 * the start.
 */
function looksOf(facts: PageFacts): string {
  const size = facts.mode === "invisible" ? ' size="invisible"' : "";
  const colours = facts.theme === "auto" ? "" : ` theme="${facts.theme}"`;
  return size + colours + (SPOKEN.includes(facts.language) ? ` language="${facts.language}"` : "");
}

/** The code that goes into the page, for each way of writing pages. */
export function pageSnippets(facts: PageFacts): readonly Snippet[] {
  const { baseUrl, siteKey, mode, noScript } = facts;
  const looks = looksOf(facts);
  const room = "stile-captcha:not(:defined) { display: block; min-height: 66px }";
  // Reserves room for the widget before its script is there, so that the page does not jump.
  const style = mode === "invisible" ? "" : `<style>${room}</style>\n`;
  const script = `${style}<script src="${baseUrl}/stile.js" async defer></script>`;
  const form = (tag: string) => `<form method="post" action="${SNIPPET_ACTION}">
  <input name="email" type="email" required>
  ${tag}
  <button>Sign up</button>
</form>`;
  // Opens in a new tab, so that what was typed into the form stays (D18, no JavaScript).
  const waiting = `
<noscript>
  <a href="${baseUrl}/noscript?sitekey=${siteKey}" target="_blank" rel="noopener">Get a code (opens a new tab)</a>
  and paste it here: <input name="stile-response" aria-label="Code" required>
</noscript>`;
  const instead = (indent: string) =>
    noScript === "off" ? "" : waiting.replaceAll("\n", `\n${indent}`);
  const html = form(`<stile-captcha sitekey="${siteKey}"${looks}></stile-captcha>${instead("  ")}`);
  return [
    { id: "html", label: "HTML", language: "html", code: `${script}\n\n${html}` },
    {
      id: "react",
      label: "React",
      language: "jsx",
      code: `// React 19 puts the script into the head, once
export function SignUp() {
  return (
    <form method="post" action="${SNIPPET_ACTION}">
      <script src="${baseUrl}/stile.js" async />${
        mode === "invisible"
          ? ""
          : `
      <style>{"${room}"}</style>`
      }
      <input name="email" type="email" required />
      <stile-captcha sitekey="${siteKey}"${looks} />${instead("      ").replace("required>", "required />")}
      <button>Sign up</button>
    </form>
  );
}`,
    },
    {
      id: "vue",
      label: "Vue",
      language: "html",
      code: `<!-- index.html, in the head -->
${script}

<!-- vite.config.js -->
vue({ template: { compilerOptions: { isCustomElement: (tag) => tag === "stile-captcha" } } })

<!-- SignUp.vue -->
<template>
${html.replace(/^/gm, "  ")}
</template>`,
    },
  ];
}
