import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/field.tsx";
import { toSearch } from "../../ui/query.ts";
import { useNow } from "../../ui/time.tsx";
import { PRESETS, type PresetName, readView, type Span, toSpan, toViewQuery, type View } from "./range.ts";
import { browserZone, fromLocalInput, listZones, toLocalInput } from "./zone.ts";

/** The range and zone of the address, what to ask the service for now, and how to change them. */
export type RangeState = View & { readonly span: Span; readonly change: (view: Partial<View>) => void };

/** Reads range and zone from the address, so that they survive reloading and sharing. */
export function useRange(): RangeState {
  const { query, path, route } = useLocation();
  // A range that ends now moves on once a minute.
  const nowMs = useNow(20_000);
  const view = readView(query, browserZone());
  const change = (next: Partial<View>) =>
    route(path + toSearch(toViewQuery({ ...view, ...next }, browserZone())), true);
  return { ...view, span: toSpan(view.range, nowMs), change };
}

/** Chooses the range, and the zone its days and hours are told in. */
export function RangeChooser({ range, timeZone, span, change }: RangeState) {
  const [isCustom, setCustom] = useState(range.kind === "custom");
  const choose = (preset: PresetName) => {
    setCustom(false);
    change({ range: { kind: "preset", preset } });
  };
  return (
    <div class="range">
      <div class="filters">
        <fieldset class="field">
          <legend class="unseen">Range</legend>
          <div class="segments">
            {(Object.keys(PRESETS) as PresetName[]).map((preset) => (
              <label key={preset}>
                <input
                  type="radio"
                  name="range"
                  checked={!isCustom && range.kind === "preset" && range.preset === preset}
                  onChange={() => choose(preset)}
                />
                {PRESETS[preset].label}
              </label>
            ))}
            <label>
              <input type="radio" name="range" checked={isCustom} onChange={() => setCustom(true)} />
              Custom
            </label>
          </div>
        </fieldset>
        <SelectField
          label="Time zone"
          name="zone"
          value={timeZone}
          onValue={(zone) => change({ timeZone: zone })}
          options={listZones(browserZone()).map((zone) => ({ value: zone, label: zone.replaceAll("_", " ") }))}
        />
      </div>
      {isCustom && <CustomRange key={timeZone} span={span} timeZone={timeZone} change={change} />}
    </div>
  );
}

type CustomRangeProps = Pick<RangeState, "span" | "timeZone" | "change">;

function CustomRange({ span, timeZone, change }: CustomRangeProps) {
  const [from, setFrom] = useState(() => toLocalInput(span.fromMs, timeZone));
  const [to, setTo] = useState(() => toLocalInput(span.toMs, timeZone));
  const [problem, setProblem] = useState<string>();
  const apply = () => {
    const [fromMs, toMs] = [fromLocalInput(from, timeZone), fromLocalInput(to, timeZone)];
    const isRange = fromMs !== undefined && toMs !== undefined && fromMs < toMs;
    setProblem(isRange ? undefined : "The end must lie after the beginning.");
    if (isRange) change({ range: { kind: "custom", fromMs, toMs } });
  };
  return (
    <form
      class="filters"
      aria-label="Custom range"
      onSubmit={(event) => {
        event.preventDefault();
        apply();
      }}
    >
      <TextField label="From" name="from" type="datetime-local" required value={from} onValue={setFrom} />
      <TextField label="To" name="to" type="datetime-local" required value={to} onValue={setTo} problem={problem} />
      <Button type="submit">Show</Button>
    </form>
  );
}
