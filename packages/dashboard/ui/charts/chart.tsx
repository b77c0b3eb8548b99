import type { ComponentChildren, RefObject } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

type ChartProps = {
  /** The chart in one sentence, for every reader. */
  readonly summary: string;
  /** The same numbers as a table, drawn on demand. Omitted if the chart is a table itself. */
  readonly table?: () => ComponentChildren;
  readonly children: ComponentChildren;
};

/** A chart with its summary, and a table of the same numbers. */
export function Chart(props: ChartProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <figure class="chart">
      <figcaption>{props.summary}</figcaption>
      {props.children}
      {props.table !== undefined && (
        <details onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Show as table</summary>
          {isOpen && props.table()}
        </details>
      )}
    </figure>
  );
}

/** The width of an element in px, kept up to date; a usual one until it is known. */
export function useWidth(): [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(640);
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const observer = new ResizeObserver(
      ([entry]) => entry !== undefined && setWidth(entry.contentRect.width),
    );
    observer.observe(element);
    setWidth(element.clientWidth);
    return () => observer.disconnect();
  }, []);
  return [box, Math.max(width, 200)];
}

type CursorProps = {
  readonly label: string;
  readonly count: number;
  readonly index: number | undefined;
  readonly text: string;
  readonly onIndex: (index: number | undefined) => void;
};

/**
 * Keyboard access to a chart: a native slider laid invisibly over it, so that arrows, Home and End
 * move the cursor, and screen readers get the values as its value text. The focus ring is drawn
 * around the chart.
 */
export function ChartCursor(props: CursorProps) {
  return (
    <input
      class="chart-cursor"
      type="range"
      aria-label={props.label}
      aria-valuetext={props.text}
      min={0}
      max={Math.max(0, props.count - 1)}
      value={props.index ?? props.count - 1}
      onFocus={() => props.onIndex(props.index ?? props.count - 1)}
      onBlur={() => props.onIndex(undefined)}
      onInput={(event) => props.onIndex(event.currentTarget.valueAsNumber)}
    />
  );
}
