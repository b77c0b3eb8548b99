import { useEffect, useState } from "preact/hooks";
import { formatDateTime, formatRelative, formatRemaining } from "./format.ts";

/** The present moment, renewed at that pace while the component is shown. */
function useNow(everyMs: number): number {
  const [nowMs, setNow] = useState(() => Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs);
    return () => clearInterval(timer);
  }, [everyMs]);
  return nowMs;
}

type TimeProps = {
  readonly ms: number;
  readonly timeZone?: string;
  /** Shows the exact moment, and has the other in its title: for what people write down or compare. */
  readonly isExact?: boolean;
};

/** A moment, as people say it; the exact one in its title and for machines. */
export function Time({ ms, timeZone, isExact = false }: TimeProps) {
  const nowMs = useNow(30_000);
  const [exact, relative] = [formatDateTime(ms, timeZone), formatRelative(ms, nowMs)];
  return (
    <time dateTime={new Date(ms).toISOString()} title={isExact ? relative : exact}>
      {isExact ? exact : relative}
    </time>
  );
}

/** What is left until a moment, second by second. Silent: a reader hears it when they come by. */
export function Countdown({ untilMs }: { readonly untilMs: number }) {
  const nowMs = useNow(1_000);
  return (
    <time role="timer" aria-live="off" dateTime={new Date(untilMs).toISOString()} title={formatDateTime(untilMs)}>
      {formatRemaining(untilMs - nowMs)}
    </time>
  );
}
