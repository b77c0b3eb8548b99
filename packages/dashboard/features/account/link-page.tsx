import type { LinkData } from "@stile/protocol/dashboard-api";
import { ROLES } from "@stile/protocol/roles";
import { useEffect, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { send } from "../../api.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { CheckField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { loadMe } from "../../ui/session.ts";
import { Failed, Loading } from "../../ui/states.tsx";
import { Countdown } from "../../ui/time.tsx";
import { PasswordField } from "./password-field.tsx";
import { LINK, ROLE_NAMES, SIGN_IN } from "./text.ts";

/** Takes the token out of the address bar, so that it stands in no history, screenshot or bookmark. */
function takeToken(): string {
  const token = location.hash.slice(1);
  if (token !== "") history.replaceState(null, "", location.pathname + location.search);
  return token;
}

type Known = Awaited<ReturnType<typeof send<LinkData>>>;

/** /dashboard/link#token: what a set-up, invitation or reset link is for, and the form that takes it up. */
export function LinkPage() {
  const [token] = useState(takeToken);
  const [known, setKnown] = useState<Known>();
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
  if (known.error.code === "internal_error" || known.error.code === "rate_limited") {
    return (
      <Page title={LINK.loading} width="narrow">
        <Failed error={known.error} onRetry={load} />
      </Page>
    );
  }
  return <DeadLink title={LINK.deadTitle} text={LINK.dead} />;
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

function AcceptLink({ token, link }: { readonly token: string; readonly link: LinkData }) {
  const { route } = useLocation();
  const [email, setEmail] = useState(link.email ?? "");
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const [removeSecondFactors, setRemove] = useState(false);
  const isReset = link.purpose === "reset";
  const submit = async () => {
    const body = { token, email, name, password, ...(isReset && { removeSecondFactors }) };
    const answer = await send("POST", "link/accept", body);
    if (!answer.success) return answer;
    const me = await loadMe();
    if (me.success) route("/dashboard/sites", true);
    return me;
  };
  const title = LINK.titles[link.purpose];
  return (
    <Page title={link.purpose === "invite" ? `${title} ${link.accountName}` : title} width="narrow">
      <div class="entry">
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
              {isReset && (
                <CheckField
                  label={LINK.removeSecondFactors}
                  name="removeSecondFactors"
                  checked={removeSecondFactors}
                  onValue={setRemove}
                  help={LINK.removeSecondFactorsHelp}
                />
              )}
              <div class="actions">
                <Button kind="primary" type="submit" isBusy={isBusy}>
                  {LINK.submits[link.purpose]}
                </Button>
              </div>
            </>
          )}
        </Form>
        <p class="quiet">
          {LINK.validFor} <Countdown untilMs={link.expiresAtMs} />
        </p>
      </div>
    </Page>
  );
}
