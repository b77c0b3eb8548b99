import { useState } from "preact/hooks";
import { DataTable } from "../data-table.tsx";
import { formatCompact, formatNumber, formatScore } from "../format.ts";
import { Chart, ChartCursor, useWidth } from "./chart.tsx";
import { nearestIndex, place, rootPart, rootTicks } from "./scale.ts";

/** The scores from which on visitors are challenged, and blocked. */
type HistogramThresholds = { readonly challenge: number; readonly block: number };

type ScoreHistogramProps = {
  readonly summary: string;
  /** Counts by score in hundredths: 101 numbers. */
  readonly counts: readonly number[];
  /** The thresholds being tried: they colour the bars. */
  readonly thresholds: HistogramThresholds;
  /** The current thresholds, drawn dotted where they differ. */
  readonly inForce: HistogramThresholds;
};

const HEIGHT = 230;
const EDGE = { left: 44, right: 14, top: 30, bottom: 26 };
const AXIS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const ZONES = { allow: "allowed", challenge: "challenged", block: "blocked" } as const;

/**
 * Scores from 0 (safe) to 1 (bot) with both thresholds; each zone has its own colour, pattern and
 * name.
 */
export function ScoreHistogram(props: ScoreHistogramProps) {
  const [index, setIndex] = useState<number>();
  const zone = (at: number) => ZONES[zoneOf(at, props.thresholds)];
  const text = (at: number) =>
    `score ${formatScore(at / 100)}: ${formatNumber(props.counts[at] ?? 0)} ${zone(at)}`;
  const table = () => (
    <DataTable
      caption="Visits by score"
      isLong
      columns={[
        { key: "score", label: "Score", render: (row: number) => formatScore(row / 100) },
        {
          key: "count",
          label: "Visits",
          align: "end",
          render: (row: number) => formatNumber(props.counts[row] ?? 0),
        },
        { key: "zone", label: "Verdict", render: zone },
      ]}
      rows={props.counts.flatMap((count, row) => (count > 0 ? [row] : []))}
      rowKey={(row) => row}
    />
  );
  return (
    <Chart summary={props.summary} table={table}>
      <p class="legend">
        {index === undefined
          ? "Bars are drawn on a square-root scale. Move along the chart to see each score."
          : text(index)}
      </p>
      <div class="plot">
        <Plot
          counts={props.counts}
          thresholds={props.thresholds}
          inForce={props.inForce}
          index={index}
          onIndex={setIndex}
        />
        <ChartCursor
          label="Visits by score: move through the scores"
          count={props.counts.length}
          index={index}
          text={text(index ?? props.counts.length - 1)}
          onIndex={setIndex}
        />
      </div>
    </Chart>
  );
}

function zoneOf(hundredths: number, { challenge, block }: HistogramThresholds): keyof typeof ZONES {
  if (hundredths >= Math.round(block * 100)) return "block";
  return hundredths >= Math.round(challenge * 100) ? "challenge" : "allow";
}

type HistogramPlotProps = Omit<ScoreHistogramProps, "summary"> & {
  readonly index: number | undefined;
  readonly onIndex: (index: number | undefined) => void;
};

function Plot(props: HistogramPlotProps) {
  const [box, width] = useWidth();
  const right = width - EDGE.right;
  const bottom = HEIGHT - EDGE.bottom;
  const ticks = rootTicks(Math.max(...props.counts));
  const max = ticks.at(-1) ?? 1;
  const slot = (right - EDGE.left) / 101;
  const x = (hundredths: number) => EDGE.left + hundredths * slot;
  // So that a few bots among thousands of people are still visible.
  const y = (value: number) => place(rootPart(value, max), 1, bottom, EDGE.top);
  return (
    <div
      ref={box}
      class="plot-area"
      onPointerMove={(event) => {
        const at = event.clientX - event.currentTarget.getBoundingClientRect().left;
        props.onIndex(nearestIndex(at, x(0.5), x(100.5), 101));
      }}
      onPointerLeave={() => props.onIndex(undefined)}
    >
      <svg width={width} height={HEIGHT} aria-hidden="true">
        <defs>
          <pattern
            id="hatch"
            width="4"
            height="4"
            patternUnits="userSpaceOnUse"
            patternTransform="rotate(45)"
          >
            <path class="hatch" d="M0 0v4" />
          </pattern>
        </defs>
        {ticks.map((tick) => (
          <g key={tick}>
            <path class="grid" d={`M${EDGE.left} ${y(tick)}H${right}`} />
            <text x={EDGE.left - 8} y={y(tick) + 4} text-anchor="end">
              {formatCompact(tick)}
            </text>
          </g>
        ))}
        {AXIS.map((score) => (
          <text key={score} x={x(score * 100 + 0.5)} y={HEIGHT - 6} text-anchor="middle">
            {score.toFixed(1)}
          </text>
        ))}
        {props.counts.map((count, at) => {
          if (count === 0) return null;
          const height = Math.max(2, bottom - y(count));
          return (
            <rect
              key={at}
              class={`zone-${zoneOf(at, props.thresholds)}${at === props.index ? " chosen" : ""}`}
              x={x(at) + slot * 0.08}
              y={bottom - height}
              width={slot * 0.84}
              height={height}
            />
          );
        })}
        {props.index !== undefined && (
          <path class="cursor" d={`M${x(props.index + 0.5)} ${EDGE.top}V${bottom}`} />
        )}
        {[props.inForce.challenge, props.inForce.block]
          .filter(
            (value) => value !== props.thresholds.challenge && value !== props.thresholds.block,
          )
          .map((value) => (
            <ThresholdLine key={value} at={x(value * 100)} bottom={bottom} isPast />
          ))}
        <ThresholdLine
          at={x(props.thresholds.challenge * 100)}
          bottom={bottom}
          label="challenge"
          side="end"
        />
        <ThresholdLine
          at={x(props.thresholds.block * 100)}
          bottom={bottom}
          label="block"
          side="start"
        />
      </svg>
    </div>
  );
}

type ThresholdLineProps = {
  readonly at: number;
  readonly bottom: number;
  readonly isPast?: boolean;
  readonly label?: string;
  readonly side?: "start" | "end";
};

function ThresholdLine(props: ThresholdLineProps) {
  const { isPast = false, side = "start" } = props;

  return (
    <g>
      <path
        class={isPast ? "threshold past" : "threshold"}
        d={`M${props.at} ${EDGE.top - 14}V${props.bottom}`}
      />
      {props.label !== undefined && (
        <text
          class="threshold-name"
          x={props.at + (side === "start" ? 5 : -5)}
          y={EDGE.top - 8}
          text-anchor={side}
        >
          {props.label}
        </text>
      )}
    </g>
  );
}
