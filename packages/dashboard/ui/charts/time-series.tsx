import type { Resolution } from "@stile/protocol/dashboard-statistics";
import { useMemo, useState } from "preact/hooks";
import { DataTable } from "../data-table.tsx";
import { formatCompact, formatNumber, NO_VALUE } from "../format.ts";
import { Chart, ChartCursor, useWidth } from "./chart.tsx";
import { countTicks, linePath, markerPath, nearestIndex, place } from "./scale.ts";
import { formatPoint, timeTicks } from "./time-axis.ts";

/** One line: counts by point; null is a gap for an unknown value. */
export type Series = { readonly label: string; readonly values: readonly (number | null)[] };

type TimeSeriesProps = {
  readonly label: string;
  readonly summary: string;
  readonly times: readonly number[];
  readonly resolution: Resolution;
  readonly timeZone: string;
  /** Whether the last point is still being counted. */
  readonly isLastOpen?: boolean;
  /** At most four: dash, marker and colour distinguish them. */
  readonly series: readonly Series[];
};

const HEIGHT = 240;
const EDGE = { left: 44, right: 14, top: 12, bottom: 26 };
/** With more points than this, markers would hide the lines. */
const MAX_MARKED_POINTS = 32;

/** Lines over time, with a legend that shows the values at the pointer or the keyboard's cursor. */
export function TimeSeries(props: TimeSeriesProps) {
  const { label, summary, times, series } = props;
  const [index, setIndex] = useState<number>();
  const at = index === undefined ? undefined : Math.min(index, times.length - 1);
  const valuesText = series
    .map((line) => `${line.label} ${valueText(line, at ?? times.length - 1)}`)
    .join(", ");
  const pointText = textOf(props, at ?? times.length - 1);
  const table = () => (
    <DataTable
      caption={label}
      isLong
      columns={[
        { key: "time", label: "Time", render: (row: number) => textOf(props, row) },
        ...series.map((line) => ({
          key: line.label,
          label: line.label,
          align: "end" as const,
          render: (row: number) => valueText(line, row),
        })),
      ]}
      rows={times.map((_, row) => row)}
      rowKey={(row) => row}
    />
  );
  return (
    <Chart summary={summary} table={table}>
      <Legend series={series} index={at} point={at === undefined ? "Whole period" : pointText} />
      <div class="plot">
        <Plot {...props} index={at} onIndex={setIndex} />
        <ChartCursor
          label={`${label}: move through time`}
          count={times.length}
          index={at}
          text={`${pointText}: ${valuesText}`}
          onIndex={setIndex}
        />
      </div>
    </Chart>
  );
}

function textOf(props: TimeSeriesProps, index: number): string {
  const { isLastOpen = false } = props;

  const text = formatPoint(props.times[index] ?? 0, props.resolution, props.timeZone);
  return isLastOpen && index === props.times.length - 1 ? `${text} (so far)` : text;
}

function valueText(line: Series, index: number): string {
  const value = line.values[index] ?? null;
  return value === null ? NO_VALUE : formatNumber(value);
}

function sumOf(line: Series): string {
  return formatNumber(line.values.reduce<number>((sum, value) => sum + (value ?? 0), 0));
}

type LegendProps = {
  readonly series: readonly Series[];
  readonly index: number | undefined;
  readonly point: string;
};

function Legend(props: LegendProps) {
  return (
    <ul class="legend">
      <li class="legend-point">{props.point}</li>
      {props.series.map((line, order) => (
        <li key={line.label}>
          <svg class={`line line-${order + 1}`} width="30" height="12" aria-hidden="true">
            <path d="M1 6h28" />
            <path class="marker" d={markerPath(order, 15, 6)} />
          </svg>
          {line.label}{" "}
          <b>{props.index === undefined ? sumOf(line) : valueText(line, props.index)}</b>
        </li>
      ))}
    </ul>
  );
}

type SeriesPlotProps = TimeSeriesProps & {
  readonly index: number | undefined;
  readonly onIndex: (index: number | undefined) => void;
};

function Plot(props: SeriesPlotProps) {
  const [box, width] = useWidth();
  const right = width - EDGE.right;
  const bottom = HEIGHT - EDGE.bottom;
  const ticks = countTicks(
    Math.max(0, ...props.series.flatMap((line) => line.values.map((value) => value ?? 0))),
  );
  const max = ticks.at(-1) ?? 1;
  const x = (at: number) => place(at, Math.max(1, props.times.length - 1), EDGE.left, right);
  const y = (value: number) => place(value, max, bottom, EDGE.top);
  const limit = Math.max(2, Math.floor((right - EDGE.left) / 62));
  const timeMarks = useMemo(
    () => timeTicks(props.times, props.resolution, props.timeZone, limit),
    [props.times, props.resolution, props.timeZone, limit],
  );
  const isEmpty = props.series.every((line) => line.values.every((value) => !value));
  return (
    <div
      ref={box}
      class="plot-area"
      onPointerMove={(event) => {
        const left = event.currentTarget.getBoundingClientRect().left;
        props.onIndex(nearestIndex(event.clientX - left, EDGE.left, right, props.times.length));
      }}
      onPointerLeave={() => props.onIndex(undefined)}
    >
      <svg width={width} height={HEIGHT} aria-hidden="true">
        {ticks.map((tick) => (
          <g key={tick}>
            <path class="grid" d={`M${EDGE.left} ${y(tick)}H${right}`} />
            <text x={EDGE.left - 8} y={y(tick) + 4} text-anchor="end">
              {formatCompact(tick)}
            </text>
          </g>
        ))}
        {timeMarks.map((tick) => (
          <g key={tick.index}>
            <path class="grid" d={`M${x(tick.index)} ${bottom}v5`} />
            <text
              x={clamp(x(tick.index), EDGE.left, right - 10)}
              y={HEIGHT - 6}
              text-anchor="middle"
            >
              {tick.label}
            </text>
          </g>
        ))}
        {props.series.map((line, order) => (
          <g key={line.label} class={`line line-${order + 1}`}>
            <path d={linePath(line.values, x, y)} />
            {line.values.map((value, at) =>
              value !== null && (at === props.index || props.times.length <= MAX_MARKED_POINTS) ? (
                <path
                  key={at}
                  class="marker"
                  d={markerPath(order, x(at), y(value), at === props.index ? 4.5 : 3)}
                />
              ) : null,
            )}
          </g>
        ))}
        {props.index !== undefined && (
          <path class="cursor" d={`M${x(props.index)} ${EDGE.top}V${bottom}`} />
        )}
        {isEmpty && (
          <text class="plot-note" x={(EDGE.left + right) / 2} y={bottom / 2} text-anchor="middle">
            Nothing was counted in this period
          </text>
        )}
      </svg>
    </div>
  );
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
