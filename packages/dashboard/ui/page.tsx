import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { TEXT } from "./text.ts";

/**
 * The path whose heading last had the focus: when the first page loads, the browser decides about
 * the focus.
 */
let lastPath: string | undefined;

type PageProps = {
  readonly title: string;
  /** For the browser's tab, if it should say more than the heading ("Scores · Shop"). */
  readonly documentTitle?: string;
  readonly intro?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** "narrow" is for forms and text. */
  readonly width?: "narrow" | "wide";
  readonly children?: ComponentChildren;
};

/**
 * A page with its heading: names the document, and takes the focus after a navigation, so that it
 * is read aloud.
 */
export function Page(props: PageProps) {
  const { documentTitle = props.title, width = "wide" } = props;

  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${documentTitle} · ${TEXT.product}`;
  }, [documentTitle]);
  useEffect(() => {
    if (lastPath !== undefined && lastPath !== location.pathname) heading.current?.focus();
    lastPath = location.pathname;
  }, []);
  return (
    <div class={`page ${width}`}>
      <header class="page-head">
        <div>
          <h1 ref={heading} tabIndex={-1}>
            {props.title}
          </h1>
          {props.intro !== undefined && <div class="intro">{props.intro}</div>}
        </div>
        {props.actions !== undefined && <div class="actions">{props.actions}</div>}
      </header>
      {props.children}
    </div>
  );
}

type PanelProps = {
  readonly title: string;
  readonly intro?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly children?: ComponentChildren;
};

/** A titled part of a page. */
export function Panel(props: PanelProps) {
  const id = useId();
  return (
    <section class="panel" aria-labelledby={id}>
      <header class="panel-head">
        <div>
          <h2 id={id}>{props.title}</h2>
          {props.intro !== undefined && <div class="intro">{props.intro}</div>}
        </div>
        {props.actions !== undefined && <div class="actions">{props.actions}</div>}
      </header>
      {props.children}
    </section>
  );
}
