import { linePath, place } from "./scale.ts";

type SparklineProps = {
  readonly values: readonly number[];
  /** Its content in a sentence, which is read aloud instead of the line. */
  readonly label: string;
};

const WIDTH = 120;
const HEIGHT = 28;

/** A number over time, the size of a word; the exact numbers are shown elsewhere. */
export function Sparkline({ values, label }: SparklineProps) {
  const max = Math.max(1, ...values);
  const x = (index: number) => place(index, Math.max(1, values.length - 1), 2, WIDTH - 2);
  const y = (value: number) => place(value, max, HEIGHT - 2, 2);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      width={WIDTH}
      height={HEIGHT}
      role="img"
      aria-label={label}
    >
      <path d={linePath(values, x, y)} />
    </svg>
  );
}
