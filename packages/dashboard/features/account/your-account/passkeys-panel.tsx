import type { PasskeyData, RecoveryCodesData } from "@stile/protocol/dashboard-api";
import { MOST_PASSKEYS } from "@stile/protocol/limits";
import { useState } from "preact/hooks";
import { send } from "../../../api.ts";
import { Button } from "../../../ui/button.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { announce } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/page.tsx";
import { hasPasskeys, makePasskey } from "../../../ui/passkey.ts";
import { loadMe } from "../../../ui/session.ts";
import { Empty } from "../../../ui/states.tsx";
import { Time } from "../../../ui/time.tsx";
import { ACCOUNT } from "../text.ts";

type PasskeysPanelProps = {
  readonly passkeys: readonly PasskeyData[];
  /** Called with the recovery codes that come with a first second factor. */
  readonly onCodes: (codes: readonly string[] | undefined) => void;
};

/** The member's passkeys: add one, see when each was last used, remove one. */
export function PasskeysPanel({ passkeys, onCodes }: PasskeysPanelProps) {
  const [leaving, setLeaving] = useState<PasskeyData>();
  const remove = async ({ passkeyId }: PasskeyData) => {
    const answer = await send("DELETE", `me/passkeys/${encodeURIComponent(passkeyId)}`);
    if (!answer.success) return answer;
    await loadMe();
    setLeaving(undefined);
    announce(ACCOUNT.passkeyRemoved);
    return undefined;
  };
  return (
    <Panel title={ACCOUNT.passkeys} intro={ACCOUNT.passkeysIntro}>
      {passkeys.length === 0 ? (
        <Empty title={ACCOUNT.noPasskeys} />
      ) : (
        <DataTable
          caption={ACCOUNT.passkeys}
          rows={passkeys}
          rowKey={({ passkeyId }) => passkeyId}
          columns={[
            { key: "name", label: ACCOUNT.name, render: ({ name }) => name },
            {
              key: "added",
              label: ACCOUNT.added,
              render: ({ createdAtMs }) => <Time ms={createdAtMs} />,
            },
            {
              key: "used",
              label: ACCOUNT.lastUsed,
              render: ({ lastUsedAtMs }) =>
                lastUsedAtMs === null ? ACCOUNT.never : <Time ms={lastUsedAtMs} />,
            },
            {
              key: "remove",
              label: ACCOUNT.action,
              align: "end",
              render: (passkey) => (
                <Button
                  class="small"
                  aria-label={`${ACCOUNT.removePasskey} ${passkey.name}`}
                  onClick={() => setLeaving(passkey)}
                >
                  {ACCOUNT.remove}
                </Button>
              ),
            },
          ]}
        />
      )}
      <NewPasskey hasRoom={passkeys.length < MOST_PASSKEYS} onCodes={onCodes} />
      {leaving !== undefined && (
        <ConfirmDialog
          title={`${ACCOUNT.removePasskey} “${leaving.name}”`}
          confirmLabel={ACCOUNT.remove}
          isDanger
          onConfirm={() => remove(leaving)}
          onClose={() => setLeaving(undefined)}
        >
          <p>{ACCOUNT.removePasskeyBody}</p>
        </ConfirmDialog>
      )}
    </Panel>
  );
}

type NewPasskeyProps = Pick<PasskeysPanelProps, "onCodes"> & { readonly hasRoom: boolean };

/** The form that adds a passkey, or why there is none. */
function NewPasskey({ hasRoom, onCodes }: NewPasskeyProps) {
  if (!hasRoom) return <p class="quiet">{ACCOUNT.passkeysFull}</p>;
  return hasPasskeys() ? (
    <AddPasskey onCodes={onCodes} />
  ) : (
    <p class="quiet">{ACCOUNT.noPasskeySupport}</p>
  );
}

function AddPasskey({ onCodes }: Pick<PasskeysPanelProps, "onCodes">) {
  const [name, setName] = useState("");
  const [isRefused, setRefused] = useState(false);
  const submit = async () => {
    setRefused(false);
    const begun = await send<{ options: unknown; ticket: string }>("POST", "me/passkeys/options");
    if (!begun.success) return begun;
    const response = await makePasskey(begun.data.options);
    if (response === undefined) {
      setRefused(true);
      return undefined;
    }
    const answer = await send<RecoveryCodesData>("POST", "me/passkeys", {
      ticket: begun.data.ticket,
      name,
      response,
    });
    if (!answer.success) return answer;
    setName("");
    await loadMe();
    const { recoveryCodes } = answer.data;
    onCodes(recoveryCodes);
    announce(
      recoveryCodes ? `${ACCOUNT.passkeyAdded} ${ACCOUNT.othersEnded}` : ACCOUNT.passkeyAdded,
    );
    return undefined;
  };
  return (
    <Form onSubmit={submit} label={ACCOUNT.addPasskey}>
      {(isBusy) => (
        <>
          <TextField
            label={ACCOUNT.passkeyName}
            name="name"
            value={name}
            onValue={setName}
            help={ACCOUNT.passkeyNameHelp}
            autocomplete="off"
            maxLength={64}
            required
          />
          {isRefused && <p role="status">{ACCOUNT.passkeyRefused}</p>}
          <div class="actions">
            <Button type="submit" isBusy={isBusy}>
              {ACCOUNT.addPasskey}
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}
