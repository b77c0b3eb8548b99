import type { RangeName } from "@stile/protocol/dashboard-statistics";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { toSearch } from "../../ui/query.ts";
import { Failed, Loading } from "../../ui/states.tsx";
import { type Loaded, useData } from "../../ui/use-data.ts";
import {
  type CustomRange,
  PRESETS,
  readView,
  type StatisticsView,
  type Times,
  toCustom,
  toRangeQuery,
  toViewQuery,
} from "./range.ts";
import { browserZone, fromLocalInput, listZones, toLocalInput } from "./zone.ts";

const REFRESH_MS = 30_000;

/** The range and time zone in the address, and how to change them. */
export type RangeState = StatisticsView & {
  readonly change: (view: Partial<StatisticsView>) => void;
};

/** Reads range and zone from the address, so that they survive reloading and sharing. */
export function useRange(): RangeState {
  const { query, path, route } = useLocation();
  const view = readView(query, browserZone());
  const change = (next: Partial<StatisticsView>) =>
    route(path + toSearch(toViewQuery({ ...view, ...next }, browserZone())), true);
  return { ...view, change };
}

/** Reads the chosen range from the service, again and again: a range that ends now moves on. */
export function useRangeData<Data>(path: string, view: StatisticsView): Loaded<Data> {
  return useData<Data>(path, toRangeQuery(view), { keepsOld: true, refreshMs: REFRESH_MS });
}

type CountedProps<Data> = {
  readonly counted: Loaded<Data>;
  readonly children: (data: Data) => ComponentChildren;
};

/**
 * Figures of a range. If they can't be read again, a note above says so, so that nobody takes them
 * for current ones.
 */
export function Counted<Data>({ counted, children }: CountedProps<Data>) {
  const { data, error, reload } = counted;
  return (
    <>
      {error !== undefined && <Failed error={error} onRetry={reload} />}
      {data !== undefined ? children(data) : error === undefined && <Loading label="Counting" />}
    </>
  );
}

type RangeChooserProps = RangeState & {
  /** The range of the figures on the page; undefined until they are loaded. */
  readonly shown: Times | undefined;
};

/** Chooses the range, and the zone in which its days and hours are shown. */
export function RangeChooser(props: RangeChooserProps) {
  return (
    <div class="range">
      <div class="filters">
        <fieldset class="field">
          <legend class="unseen">Period</legend>
          <div class="segments">
            {(Object.keys(PRESETS) as RangeName[]).map((preset) => (
              <label key={preset}>
                <input
                  type="radio"
                  name="range"
                  checked={props.range.kind === "preset" && props.range.preset === preset}
                  onChange={() => props.change({ range: { kind: "preset", preset } })}
                />
                {PRESETS[preset]}
              </label>
            ))}
            <label>
              <input
                type="radio"
                name="range"
                checked={props.range.kind === "custom"}
                onChange={() => props.change({ range: toCustom(props.shown, Date.now()) })}
              />
              Custom
            </label>
          </div>
        </fieldset>
        <SelectField
          label="Time zone"
          name="zone"
          value={props.timeZone}
          onValue={(zone) => props.change({ timeZone: zone })}
          options={listZones(browserZone()).map((zone) => ({
            value: zone,
            label: zone.replaceAll("_", " "),
          }))}
        />
      </div>
      {props.range.kind === "custom" && (
        <CustomForm range={props.range} timeZone={props.timeZone} change={props.change} />
      )}
    </div>
  );
}

type CustomFormProps = Pick<RangeState, "timeZone" | "change"> & { readonly range: CustomRange };

function CustomForm(props: CustomFormProps) {
  const shownFrom = toLocalInput(props.range.fromMs, props.timeZone);
  const shownTo = toLocalInput(props.range.toMs, props.timeZone);
  const [from, setFrom] = useState(shownFrom);
  const [to, setTo] = useState(shownTo);
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    setFrom(shownFrom);
    setTo(shownTo);
    setProblem(undefined);
  }, [shownFrom, shownTo]);
  const apply = () => {
    const [fromMs, toMs] = [
      fromLocalInput(from, props.timeZone),
      fromLocalInput(to, props.timeZone),
    ];
    const isRange = fromMs !== undefined && toMs !== undefined && fromMs < toMs;
    setProblem(isRange ? undefined : "The end must be after the start.");
    if (isRange) props.change({ range: { kind: "custom", fromMs, toMs } });
  };
  return (
    <form
      class="filters"
      aria-label="Custom period"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextField
        label="From"
        name="from"
        type="datetime-local"
        required
        value={from}
        onValue={setFrom}
      />
      <TextField
        label="To"
        name="to"
        type="datetime-local"
        required
        value={to}
        onValue={setTo}
        problem={problem}
      />
      <Button type="submit">Show</Button>
    </form>
  );
}
