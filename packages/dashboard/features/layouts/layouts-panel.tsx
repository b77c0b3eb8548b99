import type { LayoutsData } from "@stile/protocol/dashboard-layouts";
import { describeGate } from "@stile/protocol/gate-words";
import { useEffect } from "preact/hooks";
import { Button } from "../../ui/button.tsx";
import { formatNumber } from "../../ui/format.ts";
import { Notice } from "../../ui/notice.tsx";
import { Panel } from "../../ui/page.tsx";
import { Failed, Loading } from "../../ui/states.tsx";
import { Time } from "../../ui/time.tsx";
import { useData } from "../../ui/use-data.ts";
import { type Baking, bakedCount, baking, resumeBaking, startBaking, stopBaking } from "./baking.ts";
import { LAYOUTS } from "./text.ts";

/** The pages that visitors' browsers lay out, and what this browser can contribute to them. */
export function LayoutsPanel() {
  const { state, data, error, reload } = useData<LayoutsData>("layouts");
  const count = bakedCount.value;
  useEffect(() => {
    if (count > 0) reload();
  }, [count]);
  return (
    <Panel title={LAYOUTS.title} intro={LAYOUTS.intro}>
      {state === "loading" && <Loading />}
      {state === "failed" && <Failed error={error} onRetry={reload} />}
      {data !== undefined && <Layouts data={data} baking={baking.value} />}
    </Panel>
  );
}

/** The same, from these data. */
export function Layouts({ data, baking }: { readonly data: LayoutsData; readonly baking: Baking }) {
  return (
    <>
      {data.bank === null ? <p>{LAYOUTS.none}</p> : <Bank bank={data.bank} />}
      {data.bank !== null && <p>{LAYOUTS.automatic(describeGate(data.gate))}</p>}
      {baking.state === "failed" && <Notice kind="error">{baking.message}</Notice>}
      {baking.state === "running" || baking.state === "stopped" ? (
        <Progress baking={baking} />
      ) : (
        <Choices bank={data.bank} browser={data.browser} />
      )}
    </>
  );
}

function Bank({ bank }: { readonly bank: NonNullable<LayoutsData["bank"]> }) {
  return (
    <dl class="facts">
      <div>
        <dt>{LAYOUTS.pages}</dt>
        <dd>{formatNumber(bank.scenes)}</dd>
      </div>
      <div>
        <dt>{LAYOUTS.made}</dt>
        <dd>
          <Time ms={bank.drawnAtMs} />
        </dd>
      </div>
      <div>
        <dt>{LAYOUTS.answered}</dt>
        <dd>{LAYOUTS.joined(bank.browsers)}</dd>
      </div>
    </dl>
  );
}

function Progress({ baking }: { readonly baking: Extract<Baking, { state: "running" | "stopped" }> }) {
  const { state, done, scenes, browser } = baking;
  return (
    <>
      <progress max={scenes} value={done} aria-label={LAYOUTS.progressLabel} />
      <p>{LAYOUTS.progress(done, scenes, browser)}</p>
      <div class="actions">
        {state === "running" ? (
          <Button onClick={stopBaking}>{LAYOUTS.stop}</Button>
        ) : (
          <Button kind="primary" onClick={() => resumeBaking(true)}>
            {LAYOUTS.goOn}
          </Button>
        )}
      </div>
    </>
  );
}

function Choices({ bank, browser }: Pick<LayoutsData, "bank" | "browser">) {
  if (browser === null) return <p class="quiet">{LAYOUTS.cannot}</p>;
  return (
    <>
      <p class="quiet">
        {bank !== null && LAYOUTS.alone} {LAYOUTS.background}
      </p>
      <div class="actions">
        {bank === null ? (
          <Button kind="primary" onClick={() => startBaking(true)}>
            {LAYOUTS.make}
          </Button>
        ) : (
          <>
            {browser.isNew && (
              <Button kind="primary" onClick={() => startBaking(false)}>
                {LAYOUTS.add(browser.name)}
              </Button>
            )}
            <Button onClick={() => startBaking(true)}>{LAYOUTS.makeNew}</Button>
          </>
        )}
      </div>
    </>
  );
}
