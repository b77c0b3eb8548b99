import { WAVE_PROPERTIES, type WaveData, type WavesData } from "@stile/protocol/dashboard-waves";
import { useState } from "preact/hooks";
import { send } from "../../api.ts";
import { Button } from "../../ui/button.tsx";
import { formatNumber } from "../../ui/format.ts";
import { announce } from "../../ui/notice.tsx";
import { Panel } from "../../ui/page.tsx";
import { may } from "../../ui/session.ts";
import { Countdown, Time } from "../../ui/time.tsx";
import { SITE } from "../sites/text.ts";
import { describePrice, describeStrength, describeWave } from "./wave-words.ts";

type WavesProps = {
  readonly data: WavesData;
  readonly siteKey: string;
  readonly onChange: () => void;
};

/** Waves of visits that look the same: what they share, since when, and what the owner can do. */
export function Waves(props: WavesProps) {
  return (
    <Panel title="Waves">
      {props.data.waves.map((wave) => (
        <Wave key={wave.waveId} wave={wave} siteKey={props.siteKey} onChange={props.onChange} />
      ))}
    </Panel>
  );
}

type WaveProps = Pick<WavesProps, "siteKey" | "onChange"> & { readonly wave: WaveData };

function Wave(props: WaveProps) {
  const { isOver, sinceMs, lastAtMs, visits, properties } = props.wave;
  return (
    <article class="wave">
      <p>
        <span class={isOver ? "tag" : "tag warn"}>{isOver ? "Over" : "Now"}</span>{" "}
        <strong>{describeWave(props.wave)}</strong>
      </p>
      <dl class="facts">
        <div>
          <dt>Began</dt>
          <dd>
            <Time ms={sinceMs} />
          </dd>
        </div>
        <div>
          <dt>Last visit</dt>
          <dd>
            <Time ms={lastAtMs} />
          </dd>
        </div>
        <div>
          <dt>Strength</dt>
          <dd>{describeStrength(props.wave)}</dd>
        </div>
        <div>
          <dt>Visits in total</dt>
          <dd>{formatNumber(visits)}</dd>
        </div>
        {properties.map(({ property, value }) => (
          <div key={property}>
            <dt>{WAVE_PROPERTIES[property] ?? property}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <Lever wave={props.wave} siteKey={props.siteKey} onChange={props.onChange} />
    </article>
  );
}

function Lever(props: WaveProps) {
  const [isBusy, setBusy] = useState(false);
  const { refusedUntilMs } = props.wave;
  const isRefused = refusedUntilMs !== null;
  const put = async (): Promise<void> => {
    setBusy(true);
    const answer = await send(
      "PUT",
      `sites/${encodeURIComponent(props.siteKey)}/waves/${props.wave.waveId}`,
      {
        isRefused: !isRefused,
      },
    );
    setBusy(false);
    props.onChange();
    const done = isRefused
      ? "Visits in this wave are no longer blocked."
      : "Visits in this wave are blocked for an hour.";
    announce(answer.success ? done : answer.error.message);
  };
  return (
    <>
      <p class="quiet">
        {isRefused ? (
          <>
            Visits in this wave are blocked for another <Countdown untilMs={refusedUntilMs} />.
          </>
        ) : (
          `These visits score 0.30 or more, so they are challenged if the site's mode allows it. ${describePrice(props.wave)}`
        )}
      </p>
      <div class="actions">
        <Button
          kind={isRefused ? "secondary" : "danger"}
          isBusy={isBusy}
          disabled={!may("developer")}
          onClick={put}
        >
          {isRefused ? "Stop blocking them" : "Block them for an hour"}
        </Button>
      </div>
      {!may("developer") && <p class="row-note">{SITE.developersOnly}</p>}
    </>
  );
}
