import type { SiteWithSecretData } from "@stile/protocol/dashboard-api";
import type { SiteMode } from "@stile/protocol/site-settings";
import { useState } from "preact/hooks";
import { send } from "../../api.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { RadioField, TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Page, Panel } from "../../ui/page.tsx";
import { may } from "../../ui/session.ts";
import { TEXT } from "../../ui/text.ts";
import { NewSecret } from "./keys/new-secret.tsx";
import { cleanDomains } from "./settings/domains.ts";
import { DomainsField } from "./settings/domains-field.tsx";
import { MODE_OPTIONS } from "./settings/options.ts";
import { NEW_SITE, SETTINGS, SITE } from "./text.ts";

/**
 * /dashboard/sites/new: name, domains and mode; then the keys, the secret one shown only this once.
 */
export function NewSitePage() {
  const [fresh, setFresh] = useState<SiteWithSecretData>();
  if (fresh !== undefined) {
    return (
      <Page title={NEW_SITE.createdTitle} width="narrow">
        <NewSecret fresh={fresh} />
      </Page>
    );
  }
  if (!may("developer"))
    return <Page title={NEW_SITE.title} intro={SITE.developersOnly} width="narrow" />;
  return (
    <Page title={NEW_SITE.title} width="narrow">
      <Panel title={SETTINGS.basics}>
        <NewSiteForm onCreated={setFresh} />
      </Panel>
    </Page>
  );
}

function NewSiteForm({ onCreated }: { readonly onCreated: (fresh: SiteWithSecretData) => void }) {
  const [name, setName] = useState("");
  const [domains, setDomains] = useState("");
  const [mode, setMode] = useState<string>("managed" satisfies SiteMode);
  const submit = async () => {
    const body = { name, domains: cleanDomains(domains).domains, mode };
    const answer = await send<SiteWithSecretData>("POST", "sites", body);
    if (!answer.success) return answer;
    onCreated(answer.data);
    return undefined;
  };
  return (
    <Form onSubmit={submit} label={NEW_SITE.title}>
      {(isBusy) => (
        <>
          <TextField
            label={SETTINGS.name}
            name="name"
            value={name}
            onValue={setName}
            help={NEW_SITE.nameHelp}
            maxLength={64}
            autocomplete="off"
            required
          />
          <DomainsField value={domains} onValue={setDomains} />
          <RadioField
            label={SETTINGS.mode}
            name="mode"
            value={mode}
            onValue={setMode}
            options={MODE_OPTIONS}
          />
          <div class="actions">
            <Button kind="primary" type="submit" isBusy={isBusy}>
              {NEW_SITE.submit}
            </Button>
            <LinkButton href="/dashboard/sites">{TEXT.cancel}</LinkButton>
          </div>
        </>
      )}
    </Form>
  );
}
