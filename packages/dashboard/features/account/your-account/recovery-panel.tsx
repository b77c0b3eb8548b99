import type { RecoveryCodesData } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { send } from "../../../api.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyButton } from "../../../ui/copy-text.tsx";
import { ConfirmDialog, Dialog } from "../../../ui/dialog.tsx";
import { Panel } from "../../../ui/page.tsx";
import { loadMe } from "../../../ui/session.ts";
import { RECOVERY } from "../text.ts";

type RecoveryPanelProps = {
  readonly left: number;
  readonly onCodes: (codes: readonly string[]) => void;
};

/** How many recovery codes are left, and a button to replace them. */
export function RecoveryPanel({ left, onCodes }: RecoveryPanelProps) {
  const [isAsking, setAsking] = useState(false);
  const renew = async () => {
    const answer = await send<RecoveryCodesData>("POST", "me/recovery-codes");
    if (!answer.success) return answer;
    setAsking(false);
    onCodes(answer.data.recoveryCodes ?? []);
    await loadMe();
    return undefined;
  };
  return (
    <Panel title={RECOVERY.title} intro={RECOVERY.intro}>
      <p>
        {left === 0
          ? RECOVERY.noneLeft
          : left === 1
            ? RECOVERY.oneLeft
            : RECOVERY.left.replace("{n}", `${left}`)}
      </p>
      <div class="actions">
        <Button onClick={() => setAsking(true)}>{RECOVERY.renew}</Button>
      </div>
      {isAsking && (
        <ConfirmDialog
          title={RECOVERY.renew}
          confirmLabel={RECOVERY.renewConfirm}
          onConfirm={renew}
          onClose={() => setAsking(false)}
        >
          <p>{RECOVERY.renewBody}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

type RecoveryCodesProps = {
  readonly codes: readonly string[] | undefined;
  readonly onDone: () => void;
};

/** New recovery codes, shown only this once. */
export function RecoveryCodesDialog({ codes, onDone }: RecoveryCodesProps) {
  return (
    <Dialog title={RECOVERY.newTitle} isOpen={codes !== undefined} onClose={onDone}>
      <p>{RECOVERY.newBody}</p>
      <ul class="recovery-codes" aria-label={RECOVERY.title}>
        {codes?.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div class="actions">
        <CopyButton value={codes?.join("\n") ?? ""} label={RECOVERY.title} />
        <Button kind="primary" onClick={onDone}>
          {RECOVERY.done}
        </Button>
      </div>
    </Dialog>
  );
}
