import { CopyButton } from "./copy-text.tsx";

type CodeBlockProps = { readonly code: string; readonly language: string; readonly label: string };

/** Code to copy. It scrolls sideways on its own, also by keyboard. */
export function CodeBlock(props: CodeBlockProps) {
  return (
    <figure class="code-block">
      <figcaption>
        <span>{props.label}</span>
        <CopyButton value={props.code} label={props.label} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard. */}
      <section tabIndex={0} aria-label={`${props.label} (${props.language})`}>
        <pre>
          <code>{props.code}</code>
        </pre>
      </section>
    </figure>
  );
}
