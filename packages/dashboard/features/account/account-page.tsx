import type { MeData } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { send } from "../../api.ts";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { announce } from "../../ui/notice.tsx";
import { Page, Panel } from "../../ui/page.tsx";
import { loadMe, me } from "../../ui/session.ts";
import { Loading } from "../../ui/states.tsx";
import { PasskeysPanel } from "./passkeys-panel.tsx";
import { PasswordField } from "./password-field.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import { ACCOUNT, LINK, ROLE_NAMES, SIGN_IN } from "./text.ts";
import { TotpPanel } from "./totp-panel.tsx";

/** /dashboard/account: the signed-in member's profile, ways to sign in, and sessions. */
export function AccountPage() {
  const known = me.value;
  if (known === undefined) return <Loading />;
  return (
    <Page title={ACCOUNT.title} width="narrow" intro={`${ROLE_NAMES[known.user.role]} of ${known.accountName}`}>
      <ProfilePanel user={known.user} />
      <PasswordPanel />
      <PasskeysPanel passkeys={known.passkeys} />
      <TotpPanel hasTotp={known.hasTotp} />
      <SessionsPanel />
    </Page>
  );
}

function ProfilePanel({ user }: { readonly user: MeData["user"] }) {
  const [name, setName] = useState(user.name);
  const [email, setEmail] = useState(user.email);
  const submit = async () => {
    const answer = await send("PATCH", "me", { name, email });
    if (answer.success) {
      await loadMe();
      announce(ACCOUNT.profileSaved);
    }
    return answer;
  };
  return (
    <Panel title={ACCOUNT.profile}>
      <Form onSubmit={submit} label={ACCOUNT.profile}>
        {(isBusy) => (
          <>
            <TextField label={ACCOUNT.name} name="name" value={name} onValue={setName} autocomplete="name" required />
            <TextField
              label={SIGN_IN.email}
              name="email"
              type="email"
              value={email}
              onValue={setEmail}
              autocomplete="username"
              help={LINK.emailHelp}
              required
            />
            <div class="actions">
              <Button type="submit" isBusy={isBusy} disabled={name === user.name && email === user.email}>
                {ACCOUNT.saveProfile}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Panel>
  );
}

function PasswordPanel() {
  const [password, setPassword] = useState("");
  const submit = async () => {
    const answer = await send("POST", "me/password", { password });
    if (answer.success) {
      setPassword("");
      announce(ACCOUNT.passwordChanged);
    }
    return answer;
  };
  return (
    <Panel title={ACCOUNT.password}>
      <Form onSubmit={submit} label={ACCOUNT.changePassword}>
        {(isBusy) => (
          <>
            <PasswordField
              label={ACCOUNT.newPassword}
              value={password}
              onValue={setPassword}
              autocomplete="new-password"
              help={LINK.passwordRules}
            />
            <div class="actions">
              <Button type="submit" isBusy={isBusy}>
                {ACCOUNT.changePassword}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Panel>
  );
}
