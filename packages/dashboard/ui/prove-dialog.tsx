import type { DashboardAnswer } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { proofWanted, send } from "../api.ts";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { TextField } from "./field.tsx";
import { Form } from "./form.tsx";
import { askPasskey, hasPasskeys } from "./passkey.ts";
import { loadMe, me } from "./session.ts";
import { TEXT } from "./text.ts";
import { UsernameField } from "./username-field.tsx";

/** Asks members to prove who they are, whenever a call needs it; drawn once by the frame. */
export function ProveDialog() {
  const answer = proofWanted.value;
  return (
    <Dialog
      title="Confirm that it's you"
      isOpen={answer !== undefined}
      onClose={() => answer?.(false)}
    >
      <ProveForm onProven={() => answer?.(true)} onCancel={() => answer?.(false)} />
    </Dialog>
  );
}

type ProveFormProps = { readonly onProven: () => void; readonly onCancel: () => void };

function ProveForm({ onProven, onCancel }: ProveFormProps) {
  const [password, setPassword] = useState("");
  const finish = (answer: DashboardAnswer<unknown>) => {
    if (!answer.success) return answer;
    // The new proof is valid for ten minutes: other pages need to know until when.
    void loadMe();
    onProven();
    return undefined;
  };
  const canUsePasskey = hasPasskeys() && (me.value?.passkeys.length ?? 0) > 0;
  return (
    <>
      <p>Enter your password to continue. You will not be asked again for ten minutes.</p>
      <Form onSubmit={async () => finish(await send("POST", "prove", { password }))}>
        {(isBusy) => (
          <>
            <UsernameField />
            <TextField
              label="Password"
              name="password"
              type="password"
              autocomplete="current-password"
              required
              autofocus
              value={password}
              onValue={setPassword}
            />
            <div class="actions">
              <Button onClick={onCancel}>{TEXT.cancel}</Button>
              <Button kind="primary" type="submit" isBusy={isBusy}>
                Confirm
              </Button>
            </div>
          </>
        )}
      </Form>
      {canUsePasskey && (
        <Form onSubmit={async () => finishPasskey(finish)}>
          {(isBusy) => (
            <Button type="submit" isBusy={isBusy}>
              Use a passkey instead
            </Button>
          )}
        </Form>
      )}
    </>
  );
}

async function finishPasskey(
  finish: (answer: DashboardAnswer<unknown>) => DashboardAnswer<unknown> | undefined,
): Promise<DashboardAnswer<unknown> | undefined> {
  const answer = await askPasskey("prove");
  return answer?.success ? finish(await send("POST", "prove/passkey", answer.data)) : answer;
}
