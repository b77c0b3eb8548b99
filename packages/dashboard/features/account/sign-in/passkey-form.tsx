import type { DashboardAnswer } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { Button } from "../../../ui/button.tsx";
import { Form, type SubmitOutcome } from "../../../ui/form.tsx";
import { askPasskey, type PasskeyAnswer } from "../../../ui/passkey.ts";

type PasskeyFormProps = {
  readonly label: string;
  /** What to say if the passkey was not used. */
  readonly calledOff: string;
  readonly onAnswer: (answer: DashboardAnswer<PasskeyAnswer>) => SubmitOutcome;
};

/** A button by which nobody types anything: it asks for a passkey of whoever is in front of it. */
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
