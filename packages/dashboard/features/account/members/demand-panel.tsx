import { useState } from "preact/hooks";
import { send } from "../../../api.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { announce } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/page.tsx";
import { hasFactor, loadMe, may, me } from "../../../ui/session.ts";
import { DEMAND } from "../text.ts";

/** Whether every member needs a second factor; an owner who has one may change this. */
export function DemandPanel({ onChange }: { readonly onChange: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const isDemanded = me.value?.isSecondFactorDemanded === true;
  const change = async () => {
    const answer = await send("PUT", "account/second-factor", { isDemanded: !isDemanded });
    if (!answer.success) return answer;
    setAsking(false);
    announce(isDemanded ? DEMAND.lowered : DEMAND.raised);
    onChange();
    await loadMe();
    return undefined;
  };
  const label = isDemanded ? DEMAND.lower : DEMAND.raise;
  return (
    <Panel title={DEMAND.title}>
      <p>{isDemanded ? DEMAND.on : DEMAND.off}</p>
      {!may("owner") && <p class="quiet">{DEMAND.ownersOnly}</p>}
      {may("owner") && !isDemanded && !hasFactor() && (
        <>
          <p class="quiet">{DEMAND.ownFirst}</p>
          <LinkButton href="/dashboard/account">{DEMAND.toAccount}</LinkButton>
        </>
      )}
      {may("owner") && (isDemanded || hasFactor()) && (
        <div class="actions">
          <Button onClick={() => setAsking(true)}>{label}</Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={label}
          confirmLabel={label}
          onConfirm={change}
          onClose={() => setAsking(false)}
        >
          <p>{isDemanded ? DEMAND.lowerBody : DEMAND.raiseBody}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}
