import { CopyButton } from "./copy-text.tsx";

type CodeBlockProps = { readonly code: string; readonly language: string; readonly label: string };

/** Code to copy. It scrolls sideways on its own, also by keyboard. */
export function CodeBlock({ code, language, label }: CodeBlockProps) {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{label}</span>
        <CopyButton value={code} label={label} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
      <section tabIndex={0} aria-label={`${label} (${language})`}>
        <pre>
          <code>{code}</code>
        </pre>
      </section>
    </figure>
  );
}
