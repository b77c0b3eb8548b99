import type {
  DashboardAnswer,
  DashboardError,
  EnteredData,
  SignInData,
} from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { send } from "../../../api.ts";
import { Button } from "../../../ui/button.tsx";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Page } from "../../../ui/page.tsx";
import { hasPasskeys } from "../../../ui/passkey.ts";
import { loadMe, recordEntered } from "../../../ui/session.ts";
import { useData } from "../../../ui/use-data.ts";
import { SIGN_IN } from "../text.ts";
import { CodeField } from "../your-account/code-field.tsx";
import { PasswordField } from "../your-account/password-field.tsx";
import { toNextPath } from "./next-path.ts";
import { NoSessionHere } from "./no-session-here.tsx";
import { PasskeyForm } from "./passkey-form.tsx";
import { useSignInWork } from "./sign-in-work.ts";

/**
 * /dashboard/sign-in: the password, then a code if an authenticator app is set up; or a passkey.
 */
export function SignInPage() {
  const { route } = useLocation();
  const open = useData<SignInData>("sign-in");
  const [insecure, setInsecure] = useState<DashboardError>();
  /** Goes to the page that the visitor asked for; a refusal is passed back to the form. */
  const finish = async (answer: DashboardAnswer<EnteredData>) => {
    if (!answer.success) {
      if (answer.error.code !== "insecure_connection") return answer;
      setInsecure(answer.error);
      return undefined;
    }
    recordEntered(answer);
    const known = await loadMe();
    if (!known.success) return known;
    route(toNextPath(location.search, location.origin), true);
    return undefined;
  };
  return (
    <Page title={SIGN_IN.title} width="narrow">
      <NoSessionHere />
      {insecure !== undefined && (
        <Notice kind="error" title={SIGN_IN.insecureTitle}>
          <p>{insecure.message}</p>
        </Notice>
      )}
      {open.data?.hasMember === false ? (
        <NoOwner />
      ) : (
        <div class="entry">
          <PasswordSignIn finish={finish} />
          {hasPasskeys() && (
            <PasskeyForm
              label={SIGN_IN.passkey}
              calledOff={SIGN_IN.passkeyCalledOff}
              onAnswer={async (answer) =>
                finish(
                  answer.success
                    ? await send<EnteredData>("POST", "sign-in/passkey", answer.data)
                    : answer,
                )
              }
            />
          )}
          <details>
            <summary>{SIGN_IN.lockedOut}</summary>
            <p>{SIGN_IN.lockedOutOthers}</p>
            <p>{SIGN_IN.lockedOutAlone}</p>
            <CodeBlock code={SIGN_IN.resetCommand} language="sh" label="Terminal" />
          </details>
        </div>
      )}
    </Page>
  );
}

/** Shown instead of a form that nobody could use: how to become the owner. */
function NoOwner() {
  return (
    <Notice kind="info" title={SIGN_IN.noOwner}>
      <p>{SIGN_IN.noOwnerIntro}</p>
      <p>{SIGN_IN.noOwnerAnother}</p>
      <CodeBlock code={SIGN_IN.resetCommand} language="sh" label="Terminal" />
    </Notice>
  );
}

type Finish = (
  answer: DashboardAnswer<EnteredData>,
) => Promise<DashboardAnswer<unknown> | undefined>;

function PasswordSignIn({ finish }: { readonly finish: Finish }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState<string>();
  const signIn = useSignInWork();
  const submit = async () => {
    const answer = await signIn({
      email,
      password,
      ...(code !== undefined && { code: code.trim() }),
    });
    if (!answer.success && answer.error.code === "second_factor_needed" && code === undefined) {
      setCode("");
      return undefined;
    }
    return finish(answer);
  };
  return (
    <Form onSubmit={submit} label={SIGN_IN.title}>
      {(isBusy) => (
        <>
          {code === undefined ? (
            <>
              <TextField
                label={SIGN_IN.email}
                name="email"
                type="email"
                value={email}
                onValue={setEmail}
                autocomplete="username"
                required
              />
              <PasswordField
                value={password}
                onValue={setPassword}
                autocomplete="current-password"
              />
            </>
          ) : (
            <CodeField value={code} onValue={setCode} takesRecovery />
          )}
          <div class="actions">
            <Button kind="primary" type="submit" isBusy={isBusy}>
              {code === undefined ? SIGN_IN.submit : SIGN_IN.submitCode}
            </Button>
            {code !== undefined && (
              <Button onClick={() => setCode(undefined)}>{SIGN_IN.startOver}</Button>
            )}
          </div>
        </>
      )}
    </Form>
  );
}
