import { useEffect, useState } from "preact/hooks";
import { formatDateTime, formatRelative, formatRemaining } from "./format.ts";

/**
 * The current time. The component is drawn again that often, and no data that it gets in between
 * lies in the future.
 */
function useNow(everyMs: number): number {
  const [, setNow] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return Date.now();
}

type TimeProps = {
  readonly ms: number;
  readonly timeZone?: string;
  /**
   * Shows the exact time, with the relative one in its title: for times that people write down or
   * compare.
   */
  readonly isExact?: boolean;
};

/** A time relative to now; the exact one is in its title and for machines. */
export function Time(props: TimeProps) {
  const { isExact = false } = props;

  const nowMs = useNow(30_000);
  const [exact, relative] = [
    formatDateTime(props.ms, props.timeZone),
    formatRelative(props.ms, nowMs),
  ];
  return (
    <time dateTime={new Date(props.ms).toISOString()} title={isExact ? relative : exact}>
      {isExact ? exact : relative}
    </time>
  );
}

/**
 * The time left until a moment, second by second. Not announced: readers hear it when they reach
 * it.
 */
export function Countdown({ untilMs }: { readonly untilMs: number }) {
  const nowMs = useNow(1_000);
  return (
    <time
      role="timer"
      aria-live="off"
      dateTime={new Date(untilMs).toISOString()}
      title={formatDateTime(untilMs)}
    >
      {formatRemaining(untilMs - nowMs)}
    </time>
  );
}
