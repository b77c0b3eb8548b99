import type { EnteredData, LinkData } from "@stile/protocol/dashboard-api";
import { ROLES } from "@stile/protocol/roles";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { send } from "../../../api.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { CodeBlock } from "../../../ui/code-block.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Page } from "../../../ui/page.tsx";
import { hasPasskeys } from "../../../ui/passkey.ts";
import { loadMe, recordEntered } from "../../../ui/session.ts";
import { Failed, Loading } from "../../../ui/states.tsx";
import { Countdown } from "../../../ui/time.tsx";
import { ROLE_NAMES, SIGN_IN } from "../text.ts";
import { CodeField } from "../your-account/code-field.tsx";
import { PasswordField } from "../your-account/password-field.tsx";
import { LINK } from "./link-text.ts";
import { NoSessionHere } from "./no-session-here.tsx";
import { PasskeyForm } from "./passkey-form.tsx";

/** Removes the token from the address bar, so that it is in no history, screenshot or bookmark. */
function takeToken(): string {
  const token = location.hash.slice(1);
  if (token !== "") history.replaceState(null, "", location.pathname + location.search);
  return token;
}

type LinkAnswer = Awaited<ReturnType<typeof send<LinkData>>>;

/**
 * /dashboard/link#token: the purpose of a set-up, invitation or reset link, and the form that
 * accepts it.
 */
export function LinkPage() {
  const [token] = useState(takeToken);
  const [known, setKnown] = useState<LinkAnswer>();
  const load = () => {
    setKnown(undefined);
    void send<LinkData>("POST", "link", { token }).then(setKnown);
  };
  useEffect(() => {
    if (token !== "") load();
  }, [token]);
  if (token === "") return <DeadLink title={LINK.missingTitle} text={LINK.missing} />;
  if (known === undefined) return <Loading label={LINK.loading} />;
  if (known.success) return <AcceptLink token={token} link={known.data} />;
  // Other refusals say nothing about the link: the service was busy, or does not know its proxy.
  if (known.error.code === "link_expired" || known.error.code === "invalid_input") {
    return <DeadLink title={LINK.deadTitle} text={LINK.dead} />;
  }
  return (
    <Page title={LINK.loading} width="narrow">
      <Failed error={known.error} onRetry={load} />
    </Page>
  );
}

function DeadLink({ title, text }: { readonly title: string; readonly text: string }) {
  return (
    <Page title={title} width="narrow" intro={text}>
      <div class="entry">
        <h2>{LINK.ways}</h2>
        <p>{LINK.wayInvite}</p>
        <p>{LINK.waySetup}</p>
        <CodeBlock code={SIGN_IN.resetCommand} language="sh" label="Terminal" />
        <div class="actions">
          <LinkButton href="/dashboard/sign-in">{LINK.toSignIn}</LinkButton>
        </div>
      </div>
    </Page>
  );
}

/** The form that accepts an opened link. */
export function AcceptLink({ token, link }: { readonly token: string; readonly link: LinkData }) {
  const { route } = useLocation();
  const [email, setEmail] = useState(link.email ?? "");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const isReset = link.purpose === "reset";
  const needsFactor = link.secondFactor === "needed";
  const accept = async (factor: object) => {
    const answer = await send<EnteredData>("POST", "link/accept", {
      token,
      email,
      name,
      password,
      ...factor,
    });
    if (!answer.success) return answer;
    recordEntered(answer);
    const me = await loadMe();
    if (me.success) route("/dashboard/sites", true);
    return me;
  };
  const submit = async () => accept(needsFactor ? { code: code.trim() } : {});
  const title = LINK.titles[link.purpose];
  return (
    <Page title={link.purpose === "invite" ? `${title} ${link.accountName}` : title} width="narrow">
      <div class="entry">
        <NoSessionHere />
        <p>{LINK.intros[link.purpose]}</p>
        {link.purpose === "invite" && (
          <p>
            {LINK.yourRole}: <strong>{ROLE_NAMES[link.role]}</strong>. {ROLES[link.role]}
          </p>
        )}
        <Form onSubmit={submit} label={title}>
          {(isBusy) => (
            <>
              <TextField
                label={SIGN_IN.email}
                name="email"
                type="email"
                value={email}
                onValue={setEmail}
                autocomplete="username"
                readOnly={isReset}
                required
                {...(!isReset && { help: LINK.emailHelp })}
              />
              {!isReset && (
                <TextField
                  label={LINK.name}
                  name="name"
                  value={name}
                  onValue={setName}
                  autocomplete="name"
                  help={LINK.nameHelp}
                  required
                />
              )}
              <PasswordField
                value={password}
                onValue={setPassword}
                autocomplete="new-password"
                help={LINK.passwordRules}
              />
              {needsFactor && (
                <CodeField value={code} onValue={setCode} takesRecovery isFocused={false} />
              )}
              {link.secondFactor === "removed" && <p>{LINK.factorsRemoved}</p>}
              <div class="actions">
                <Button kind="primary" type="submit" isBusy={isBusy}>
                  {LINK.submits[link.purpose]}
                </Button>
              </div>
            </>
          )}
        </Form>
        {needsFactor && link.hasPasskeys && hasPasskeys() && (
          <PasskeyForm
            label={LINK.withPasskey}
            calledOff={LINK.passkeyCalledOff}
            onAnswer={async (answer) =>
              answer.success ? accept({ passkey: answer.data }) : answer
            }
          />
        )}
        {needsFactor && <p class="quiet">{LINK.factorLost}</p>}
        <p class="quiet">
          {LINK.validFor} <Countdown untilMs={link.expiresAtMs} />
        </p>
      </div>
    </Page>
  );
}
