import type { MeData } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { send } from "../../../api.ts";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { announce } from "../../../ui/notice.tsx";
import { Page, Panel } from "../../../ui/page.tsx";
import { hasFactor, loadMe, me, mustSetUpFactor } from "../../../ui/session.ts";
import { Loading } from "../../../ui/states.tsx";
import { LINK } from "../sign-in/link-text.ts";
import { ACCOUNT, ROLE_NAMES, SIGN_IN } from "../text.ts";
import { makeOwnProof, OwnProofField } from "./own-proof.tsx";
import { PasskeysPanel } from "./passkeys-panel.tsx";
import { PasswordField } from "./password-field.tsx";
import { RecoveryCodesDialog, RecoveryPanel } from "./recovery-panel.tsx";
import { SessionsPanel } from "./sessions-panel.tsx";
import { TotpPanel } from "./totp-panel.tsx";

/**
 * /dashboard/account: the signed-in member's profile, sign-in methods, and sessions. A member who
 * lacks a demanded second factor sees only the panels that set one up.
 */
export function AccountPage() {
  const known = me.value;
  const [codes, setCodes] = useState<readonly string[]>();
  if (known === undefined) return <Loading />;
  const factors = (
    <>
      <PasskeysPanel passkeys={known.passkeys} onCodes={setCodes} />
      <TotpPanel hasTotp={known.hasTotp} onCodes={setCodes} />
    </>
  );
  if (mustSetUpFactor()) {
    return (
      <Page title={ACCOUNT.demandedTitle} width="narrow" intro={ACCOUNT.demandedIntro}>
        {factors}
      </Page>
    );
  }
  return (
    <Page title={ACCOUNT.title} intro={`${ROLE_NAMES[known.user.role]} of ${known.accountName}`}>
      <div class="columns">
        <div class="stack">
          <ProfilePanel user={known.user} />
          <PasswordPanel />
        </div>
        <div class="stack">
          {factors}
          {hasFactor() && <RecoveryPanel left={known.recoveryCodesLeft} onCodes={setCodes} />}
        </div>
      </div>
      <SessionsPanel />
      <RecoveryCodesDialog codes={codes} onDone={() => setCodes(undefined)} />
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
            <TextField
              label={ACCOUNT.name}
              name="name"
              value={name}
              onValue={setName}
              autocomplete="name"
              required
            />
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
              <Button
                type="submit"
                isBusy={isBusy}
                disabled={name === user.name && email === user.email}
              >
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
  const [current, setCurrent] = useState("");
  const submit = async () => {
    const proof = await makeOwnProof(current);
    if (!proof.success) return proof;
    const answer = await send("POST", "me/password", { password, ...proof.data });
    if (answer.success) {
      setPassword("");
      setCurrent("");
      announce(ACCOUNT.passwordChanged);
    }
    return answer;
  };
  return (
    <Panel title={ACCOUNT.password}>
      <Form onSubmit={submit} label={ACCOUNT.changePassword}>
        {(isBusy) => (
          <>
            <OwnProofField value={current} onValue={setCurrent} />
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
