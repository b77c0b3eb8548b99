import type { DashboardAnswer } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { Button } from "../../../ui/button.tsx";
import { Form, type SubmitOutcome } from "../../../ui/form.tsx";
import { askPasskey, type PasskeyAnswer } from "../../../ui/passkey.ts";

type PasskeyFormProps = {
  readonly label: string;
  /** The message if the passkey was not used. */
  readonly calledOff: string;
  readonly onAnswer: (answer: DashboardAnswer<PasskeyAnswer>) => SubmitOutcome;
};

/** A button that needs no typing: it asks for a passkey of any member. */
export function PasskeyForm(props: PasskeyFormProps) {
  const [isCalledOff, setCalledOff] = useState(false);
  const submit = async () => {
    setCalledOff(false);
    const answer = await askPasskey("sign-in");
    if (answer !== undefined) return props.onAnswer(answer);
    setCalledOff(true);
    return undefined;
  };
  return (
    <Form onSubmit={submit} label={props.label}>
      {(isBusy) => (
        <>
          <div class="actions">
            <Button type="submit" isBusy={isBusy}>
              {props.label}
            </Button>
          </div>
          {isCalledOff && <p role="status">{props.calledOff}</p>}
        </>
      )}
    </Form>
  );
}
