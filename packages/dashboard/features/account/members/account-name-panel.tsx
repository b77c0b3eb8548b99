import { useState } from "preact/hooks";
import { send } from "../../../api.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { announce } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/page.tsx";
import { loadMe, may, me } from "../../../ui/session.ts";
import { ACCOUNT_NAME } from "../text.ts";

/** The account's name, which an owner may change. */
export function AccountNamePanel() {
  const current = me.value?.accountName ?? "";
  const [name, setName] = useState(current);
  if (!may("owner")) return null;
  const submit = async () => {
    const answer = await send("PATCH", "account", { name });
    if (!answer.success) return answer;
    const known = await loadMe();
    // As it is stored, for example trimmed.
    if (known.success) setName(known.data.accountName);
    announce(ACCOUNT_NAME.renamed);
    return undefined;
  };
  return (
    <Panel title={ACCOUNT_NAME.title}>
      <Form onSubmit={submit} label={ACCOUNT_NAME.title}>
        {(isBusy) => (
          <>
            <TextField
              label={ACCOUNT_NAME.name}
              name="name"
              value={name}
              onValue={setName}
              help={ACCOUNT_NAME.help}
              required
            />
            <div class="actions">
              <Button type="submit" isBusy={isBusy} disabled={name === current}>
                {ACCOUNT_NAME.save}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Panel>
  );
}
