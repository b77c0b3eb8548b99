import type { SiteLimits } from "@stile/protocol/site-settings";
import { NumberField } from "../../../ui/field.tsx";
import { formatNumber } from "../../../ui/format.ts";
import { Panel } from "../../../ui/page.tsx";
import { me } from "../../../ui/session.ts";
import { SETTINGS } from "../text.ts";

type LimitName = keyof SiteLimits<number>;
type LimitsProps = {
  readonly draft: SiteLimits<number | null>;
  readonly set: (name: LimitName, value: number | null) => void;
};

/** The site's limits per minute (D10, limits). */
export function Limits({ draft, set }: LimitsProps) {
  return (
    <Panel title={SETTINGS.limits} intro={SETTINGS.limitHelp}>
      <div class="fields two">
        <Limit name="verifyPerMinute" label={SETTINGS.verifyLimit} draft={draft} set={set} />
        <Limit name="scorePerMinute" label={SETTINGS.scoreLimit} draft={draft} set={set} />
      </div>
    </Panel>
  );
}

type LimitProps = LimitsProps & { readonly name: LimitName; readonly label: string };

/** One limit; if left empty, the service's own applies, which is shown. */
function Limit(props: LimitProps) {
  const byDefault = me.value?.defaultLimits[props.name];
  return (
    <NumberField
      label={props.label}
      name={props.name}
      value={props.draft[props.name]}
      onValue={(value) => props.set(props.name, value)}
      min={1}
      max={10_000_000}
      step={1}
      suffix={SETTINGS.perMinute}
      {...(byDefault !== undefined && {
        placeholder: `${SETTINGS.limitDefault} ${formatNumber(byDefault)}`,
      })}
    />
  );
}
