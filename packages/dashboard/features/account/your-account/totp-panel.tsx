import type { RecoveryCodesData, TotpEnrolmentData } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { send } from "../../../api.ts";
import { Button } from "../../../ui/button.tsx";
import { CopyText } from "../../../ui/copy-text.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { Form } from "../../../ui/form.tsx";
import { announce } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/page.tsx";
import { loadMe } from "../../../ui/session.ts";
import { ACCOUNT } from "../text.ts";
import { CodeField } from "./code-field.tsx";
import { toQrPath } from "./qr-path.ts";

type Enrolment = TotpEnrolmentData & { readonly ticket: string };

type OnCodes = (codes: readonly string[] | undefined) => void;

/** `onCodes` is called with the recovery codes that come with a first second factor. */
type TotpPanelProps = { readonly hasTotp: boolean; readonly onCodes: OnCodes };

/** The member's authenticator app: set up with a QR code and confirmed by a code, or turned off. */
export function TotpPanel({ hasTotp, onCodes }: TotpPanelProps) {
  const [enrolment, setEnrolment] = useState<Enrolment>();
  const [isLeaving, setLeaving] = useState(false);
  const begin = async () => {
    const answer = await send<Enrolment>("POST", "me/totp");
    if (answer.success) setEnrolment(answer.data);
    return answer;
  };
  const disable = async () => {
    const answer = await send("DELETE", "me/totp");
    if (!answer.success) return answer;
    await loadMe();
    setLeaving(false);
    announce(ACCOUNT.totpDisabled);
    return undefined;
  };
  return (
    <Panel title={ACCOUNT.totp} intro={hasTotp ? ACCOUNT.totpOn : ACCOUNT.totpOff}>
      {hasTotp && (
        <div class="actions">
          <Button onClick={() => setLeaving(true)}>{ACCOUNT.totpDisable}</Button>
        </div>
      )}
      {!hasTotp && enrolment === undefined && (
        <Form onSubmit={begin} label={ACCOUNT.totp}>
          {(isBusy) => (
            <div class="actions">
              <Button type="submit" isBusy={isBusy}>
                {ACCOUNT.totpStart}
              </Button>
            </div>
          )}
        </Form>
      )}
      {!hasTotp && enrolment !== undefined && (
        <ConfirmTotp
          enrolment={enrolment}
          onEnd={() => setEnrolment(undefined)}
          onCodes={onCodes}
        />
      )}
      {isLeaving && (
        <ConfirmDialog
          title={ACCOUNT.totpDisableTitle}
          confirmLabel={ACCOUNT.totpDisable}
          isDanger
          onConfirm={disable}
          onClose={() => setLeaving(false)}
        >
          <p>{ACCOUNT.totpDisableBody}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

type ConfirmTotpProps = {
  readonly enrolment: Enrolment;
  readonly onEnd: () => void;
  readonly onCodes: OnCodes;
};

function ConfirmTotp(props: ConfirmTotpProps) {
  const [code, setCode] = useState("");
  const confirm = async () => {
    const answer = await send<RecoveryCodesData>("POST", "me/totp/confirm", {
      ticket: props.enrolment.ticket,
      code: code.trim(),
    });
    if (!answer.success) return answer;
    await loadMe();
    props.onEnd();
    props.onCodes(answer.data.recoveryCodes);
    announce(`${ACCOUNT.totpEnabled} ${ACCOUNT.othersEnded}`);
    return undefined;
  };
  const { path, side } = toQrPath(props.enrolment.qr);
  return (
    <Form onSubmit={confirm} label={ACCOUNT.totp}>
      {(isBusy) => (
        <>
          <p>{ACCOUNT.totpScan}</p>
          <svg class="qr" viewBox={`0 0 ${side} ${side}`} role="img" aria-label={ACCOUNT.totpQr}>
            <rect width={side} height={side} fill="#fff" />
            <path d={path} fill="#000" />
          </svg>
          <p>{ACCOUNT.totpSecret}</p>
          <CopyText value={props.enrolment.secret} label={ACCOUNT.totpSecretLabel} />
          <CodeField value={code} onValue={setCode} />
          <div class="actions">
            <Button kind="primary" type="submit" isBusy={isBusy}>
              {ACCOUNT.totpConfirm}
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}
