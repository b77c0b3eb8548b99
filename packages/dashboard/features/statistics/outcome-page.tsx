import type { DoorReason, NamedCount, OutcomeData } from "@stile/protocol/dashboard-statistics";
import type { WavesData } from "@stile/protocol/dashboard-waves";
import { REASON_CODES, type ReasonCode } from "@stile/protocol/reason-codes";
import type { ComponentChildren } from "preact";
import { LinkButton } from "../../ui/button.tsx";
import { BarTable } from "../../ui/charts/bar-table.tsx";
import { TimeSeries } from "../../ui/charts/time-series.tsx";
import { formatDuration, formatNumber, formatPercent } from "../../ui/format.ts";
import { lazyPage } from "../../ui/lazy-page.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/page.tsx";
import { Failed } from "../../ui/states.tsx";
import { useData } from "../../ui/use-data.ts";
import { SiteShell } from "../sites/site-shell.tsx";
import { Earnings } from "./earnings.tsx";
import { NoVisits } from "./empty-states.tsx";
import {
  describeCourse,
  describeDoor,
  describeFunnel,
  describeNames,
  describeRefusals,
  describeSolveTimes,
  noteOfSolved,
  toCountries,
  toFunnel,
  toSolveBars,
} from "./outcome-words.ts";
import { Counted, RangeChooser, useRange, useRangeData } from "./range-chooser.tsx";
import { REFUSALS } from "./text.ts";

/** Loaded only if there is a wave to show. */
const Waves = lazyPage(async () => (await import("./waves-panel.tsx")).Waves);

const LEARNING =
  "Stile is still learning what this site's visitors usually look like. After each start, that takes an hour and 300 visits.";
const NONE =
  "None in the last 24 hours. A wave appears here when many more visits than usual, from many networks, look or act the same.";

/** Shown if there was no wave: either there was none, or it is too early to know. */
export function NoWaves({ isLearning }: Pick<WavesData, "isLearning">) {
  return (
    <Panel title="Waves">
      <p class="quiet">{isLearning ? LEARNING : NONE}</p>
    </Panel>
  );
}

/**
 * The outcomes of a site's visitors: figures, funnel, course over time, and where things went
 * wrong.
 */
export function OutcomePage({ siteKey }: { readonly siteKey: string }) {
  const state = useRange();
  const path = `sites/${encodeURIComponent(siteKey)}`;
  const outcome = useRangeData<OutcomeData>(`${path}/outcome`, state);
  const waves = useData<WavesData>(`${path}/waves`, undefined, { refreshMs: 15_000 });
  const panel = waves.data?.waves.length ? (
    <Waves data={waves.data} siteKey={siteKey} onChange={waves.reload} />
  ) : (
    waves.data && <NoWaves {...waves.data} />
  );
  const isUnderWay = waves.data?.waves.some(
    ({ isOver, refusedUntilMs }) => !isOver || refusedUntilMs !== null,
  );
  return (
    <SiteShell siteKey={siteKey} current="outcome">
      {waves.error !== undefined && outcome.error === undefined && (
        <Failed error={waves.error} onRetry={waves.reload} />
      )}
      {isUnderWay === true && panel}
      <RangeChooser {...state} shown={outcome.data} />
      <Counted counted={outcome}>{(data) => <Outcome data={data} siteKey={siteKey} />}</Counted>
      {isUnderWay !== true && panel}
      {waves.data && <Earnings earnings={waves.data.earnings} />}
    </SiteShell>
  );
}

type OutcomeProps = {
  readonly data: OutcomeData;
  readonly siteKey: string;
};

/** Figures, course and funnel of a range, and where things went wrong. */
export function Outcome({ data, siteKey }: OutcomeProps) {
  return (
    <>
      {data.isNeverVerified && <NeverVerified siteKey={siteKey} />}
      <Figures data={data} />
      {hasTraffic(data) ? (
        <Details data={data} siteKey={siteKey} />
      ) : (
        <NoVisits siteKey={siteKey} />
      )}
    </>
  );
}

/**
 * Whether anything was counted: visits, calls of the customer's server, or refusals before scoring.
 */
function hasTraffic(data: OutcomeData): boolean {
  return [
    ...Object.values(data.sums),
    ...Object.values(data.refusedAtDoor),
    data.scoreRequests,
  ].some((count) => count > 0);
}

function Details({ data, siteKey }: OutcomeProps) {
  return (
    <>
      <Panel title="Over time">
        <Course data={data} />
      </Panel>
      <div class="columns">
        <div class="stack">
          <Panel title="From challenge to verification">
            <BarTable
              summary={describeFunnel(data)}
              nameLabel="Step"
              total={data.sums.issued}
              bars={toFunnel(data)}
            />
          </Panel>
          <Refusals
            title="Refused calls from your server"
            summary={describeRefusals(data)}
            counts={data.refusedByReason}
            meaningOf={(reason) => REASON_CODES[reason as ReasonCode]?.meaning}
          />
          <Door data={data} siteKey={siteKey} />
        </div>
        <div class="stack">
          <Panel title="Solve time">
            <BarTable
              summary={describeSolveTimes(data.solveTimes)}
              nameLabel="Time to solve"
              bars={toSolveBars(data.solveTimes).map((bar) => ({ ...bar, key: bar.label }))}
            />
          </Panel>
          <Names title="Devices" nameLabel="Device" names={data.devices} />
          {data.countries.length > 0 && (
            <Names title="Countries" nameLabel="Country" names={toCountries(data.countries)} />
          )}
          <Names title="Hosts" nameLabel="Host" names={data.hosts} />
        </div>
      </div>
    </>
  );
}

function NeverVerified({ siteKey }: { readonly siteKey: string }) {
  return (
    <Notice kind="warning" title="Your server is not verifying tokens">
      <p>
        Visitors get tokens, but your server does not verify them, or has stopped doing so. If your
        form still works, so does a program that skips the widget. Your server must send each token
        to <code>POST /api/v1/token/verify</code> with the site's secret key, and refuse the form
        unless the answer says that the token is verified.
      </p>
      <LinkButton href={`/dashboard/sites/${siteKey}/install`}>See how to install it</LinkButton>
    </Notice>
  );
}

function Figures({ data }: { readonly data: OutcomeData }) {
  const { sums, solveTimes, passRate, blockRate, scoreRequests } = data;
  const figures = [
    { name: "Challenges", value: formatNumber(sums.issued), note: "issued to browsers" },
    { name: "Solved", value: formatNumber(sums.solved), note: noteOfSolved(sums) },
    { name: "Verified", value: formatNumber(sums.verified), note: "tokens, by your server" },
    {
      name: "Pass rate",
      value: formatPercent(passRate),
      note: passRate === null ? "no calls from your server" : "of your server's calls verified",
    },
    {
      name: "Block rate",
      value: formatPercent(blockRate),
      note: blockRate === null ? "no visits scored" : "of scored visits",
    },
    {
      name: "Solve time",
      value: formatDuration(solveTimes.p50Ms),
      note:
        solveTimes.p95Ms === null
          ? "no challenges solved"
          : `median; 95% within ${formatDuration(solveTimes.p95Ms)}`,
    },
  ];
  if (scoreRequests > 0) {
    figures.push({
      name: "Score requests",
      value: formatNumber(scoreRequests),
      note: "from your server",
    });
  }
  return (
    <dl class="figures">
      {figures.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>
            {value}
            <span class="note">{note}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

function Course({ data }: Pick<OutcomeProps, "data">) {
  const { points, resolution, timeZone, isLastOpen } = data;
  return (
    <TimeSeries
      label="Challenges and tokens over time"
      summary={describeCourse(data)}
      times={points.map((point) => point.startMs)}
      resolution={resolution}
      timeZone={timeZone}
      isLastOpen={isLastOpen}
      series={[
        { label: "Issued", values: points.map((point) => point.issued) },
        { label: "Solved", values: points.map((point) => point.solved) },
        { label: "Verified", values: points.map((point) => point.verified) },
        { label: "Blocked", values: points.map((point) => point.blocked) },
      ]}
    />
  );
}

type RefusalsProps = {
  readonly title: string;
  readonly summary: string;
  readonly counts: Readonly<Partial<Record<string, number>>>;
  readonly meaningOf: (reason: string) => string | undefined;
  readonly children?: ComponentChildren;
};

function Refusals(props: RefusalsProps) {
  const bars = Object.entries(props.counts)
    .map(([reason, count = 0]) => ({
      key: reason,
      label: props.meaningOf(reason) ?? reason,
      code: reason,
      count,
    }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  return (
    <Panel title={props.title}>
      <BarTable summary={props.summary} nameLabel="Reason" bars={bars} />
      {props.children}
    </Panel>
  );
}

function Door({ data, siteKey }: Pick<OutcomeProps, "data" | "siteKey">) {
  const { refusedAtDoor, refusedHosts } = data;
  const site = `/dashboard/sites/${siteKey}`;
  return (
    <Refusals
      title="Refused before scoring"
      summary={describeDoor(refusedAtDoor)}
      counts={refusedAtDoor}
      meaningOf={(reason) => REFUSALS[reason as DoorReason]}
    >
      {refusedHosts.length > 0 && (
        <p>
          Pages on {refusedHosts.map(({ host }) => host).join(", ")} were refused. If one of these
          hosts is yours, <a href={`${site}/settings`}>add it to the site's domains</a>.{" "}
          <a href={`${site}/decisions?show=refused`}>Show the requests</a>
        </p>
      )}
    </Refusals>
  );
}

type NamesProps = {
  readonly title: string;
  readonly nameLabel: string;
  readonly names: readonly NamedCount[];
};

function Names(props: NamesProps) {
  return (
    <Panel title={props.title}>
      <BarTable
        summary={describeNames(props.names)}
        nameLabel={props.nameLabel}
        bars={props.names.map(({ name, count }) => ({ key: name, label: name, count }))}
      />
    </Panel>
  );
}
