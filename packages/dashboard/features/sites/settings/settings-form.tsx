import type { DashboardAnswer, SiteSettingsData } from "@stile/protocol/dashboard-api";
import { TOKEN_LIFE_SECONDS } from "@stile/protocol/limits";
import { useState } from "preact/hooks";
import { Button } from "../../../ui/button.tsx";
import { CheckField, NumberField, RadioField, SelectField, TextField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Panel } from "../../../ui/page.tsx";
import { may, me } from "../../../ui/session.ts";
import { TEXT } from "../../../ui/text.ts";
import { fieldName, toWords } from "../../account/audit/audit-words.ts";
import { SETTINGS, SITE } from "../text.ts";
import { ContactField } from "./contact-field.tsx";
import { cleanDomains } from "./domains.ts";
import { DomainsField } from "./domains-field.tsx";
import { LanguageField } from "./language-field.tsx";
import { Limits } from "./limits-panel.tsx";
import {
  BINDING_OPTIONS,
  DIFFICULTY_OPTIONS,
  MODE_OPTIONS,
  NO_SCRIPT_OPTIONS,
  SCORE_SIGNAL_OPTIONS,
  SIGNED_AGENT_OPTIONS,
  THEME_OPTIONS,
  UNAVAILABLE_OPTIONS,
} from "./options.ts";
import type { SettingConflict } from "./settings-draft.ts";
import { WidgetPreview } from "./widget-preview.tsx";

type SettingsFormProps = {
  readonly draft: SiteSettingsData;
  readonly onDraft: (draft: SiteSettingsData) => void;
  readonly siteKey: string;
  readonly isDirty: boolean;
  /** Set once somebody else's change was merged into the draft. */
  readonly conflicts: readonly SettingConflict[] | undefined;
  readonly onSave: () => Promise<DashboardAnswer<unknown> | undefined>;
  readonly onDiscard: () => void;
};

/** All settings of a site (D13, formats), grouped, with a preview of the widget. */
export function SettingsForm(props: SettingsFormProps) {
  const { draft, onDraft, siteKey, isDirty, conflicts, onSave, onDiscard } = props;
  const mayChange = may("developer");
  const set: SetSetting = (name, value) => onDraft({ ...draft, [name]: value });
  return (
    <Form onSubmit={onSave} label={SITE.tabs.settings}>
      {(isBusy) => (
        <>
          {!mayChange && <Notice kind="info">{SITE.developersOnly}</Notice>}
          {conflicts !== undefined && <Conflicts conflicts={conflicts} />}
          <fieldset class="bare" disabled={!mayChange}>
            <Basics draft={draft} set={set} />
            <Look draft={draft} set={set} siteKey={siteKey} />
            <Security draft={draft} set={set} />
            <Limits draft={draft} set={set} />
          </fieldset>
          {mayChange && (
            <div class="save-bar">
              <Button kind="primary" type="submit" isBusy={isBusy} disabled={!isDirty}>
                {TEXT.save}
              </Button>
              {isDirty && <Button onClick={onDiscard}>{SETTINGS.discard}</Button>}
              <span role="status">{isDirty && SETTINGS.unsaved}</span>
            </div>
          )}
        </>
      )}
    </Form>
  );
}

type SetSetting = <Name extends keyof SiteSettingsData>(
  name: Name,
  value: SiteSettingsData[Name],
) => void;
type GroupProps = { readonly draft: SiteSettingsData; readonly set: SetSetting };

function Conflicts({ conflicts }: { readonly conflicts: readonly SettingConflict[] }) {
  return (
    <Notice kind="warning" title={SETTINGS.conflictTitle}>
      <p>{conflicts.length === 0 ? SETTINGS.conflictNone : SETTINGS.conflictBody}</p>
      <ul>
        {conflicts.map(({ field, mine, theirs }) => (
          <li key={field}>
            {fieldName(field)}: {SETTINGS.theirs} <strong>{toWords(field, theirs)}</strong>,{" "}
            {SETTINGS.yours} <strong>{toWords(field, mine)}</strong>
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function Basics({ draft, set }: GroupProps) {
  const [text, setText] = useState(draft.domains.join("\n"));
  // Shown as typed while it means the same as the draft; replaced when the draft changed elsewhere.
  const isOwn = cleanDomains(text).domains.join() === draft.domains.join();
  return (
    <Panel title={SETTINGS.basics}>
      <div class="fields">
        <TextField
          label={SETTINGS.name}
          name="name"
          value={draft.name}
          onValue={(name) => set("name", name)}
          autocomplete="off"
          maxLength={64}
          required
        />
        <DomainsField
          value={isOwn ? text : draft.domains.join("\n")}
          onValue={(typed) => {
            setText(typed);
            set("domains", cleanDomains(typed).domains);
          }}
        />
        <CheckField
          label={SETTINGS.isEnabled}
          name="isEnabled"
          checked={draft.isEnabled}
          onValue={(isEnabled) => set("isEnabled", isEnabled)}
          help={SETTINGS.isEnabledHelp}
        />
      </div>
    </Panel>
  );
}

function Look(props: GroupProps & { readonly siteKey: string }) {
  return (
    <Panel title={SETTINGS.look}>
      <div class="columns">
        <div class="fields">
          <RadioField
            label={SETTINGS.mode}
            name="mode"
            value={props.draft.mode}
            onValue={(mode) => props.set("mode", mode as SiteSettingsData["mode"])}
            options={MODE_OPTIONS}
          />
          <SelectField
            label={SETTINGS.theme}
            name="theme"
            value={props.draft.theme}
            onValue={(theme) => props.set("theme", theme as SiteSettingsData["theme"])}
            options={THEME_OPTIONS}
            help={SETTINGS.themeHelp}
          />
          <LanguageField
            value={props.draft.language}
            onValue={(language) => props.set("language", language)}
          />
        </div>
        <WidgetPreview
          siteKey={props.siteKey}
          mode={props.draft.mode}
          theme={props.draft.theme}
          language={props.draft.language}
        />
      </div>
    </Panel>
  );
}

function Security({ draft, set }: GroupProps) {
  const { challenge, block } = draft.thresholds;
  return (
    <Panel title={SETTINGS.security}>
      <div class="fields two">
        <NumberField
          label={SETTINGS.challengeAt}
          name="thresholds"
          value={challenge}
          onValue={(value) => set("thresholds", { challenge: value ?? 0, block })}
          min={0.01}
          max={1}
          step={0.01}
          help={SETTINGS.challengeAtHelp}
          required
        />
        <NumberField
          label={SETTINGS.blockAt}
          name="thresholds.block"
          value={block}
          onValue={(value) => set("thresholds", { challenge, block: value ?? 0 })}
          min={0.01}
          max={1}
          step={0.01}
          help={SETTINGS.blockAtHelp}
          required
        />
        <SelectField
          label={SETTINGS.difficulty}
          name="difficultyOffset"
          value={String(draft.difficultyOffset)}
          onValue={(value) => set("difficultyOffset", Number(value))}
          options={DIFFICULTY_OPTIONS}
          help={SETTINGS.difficultyHelp}
        />
        <NumberField
          label={SETTINGS.tokenLife}
          name="tokenLifeSeconds"
          value={draft.tokenLifeSeconds}
          onValue={(value) => set("tokenLifeSeconds", value ?? 0)}
          min={TOKEN_LIFE_SECONDS.min}
          max={TOKEN_LIFE_SECONDS.max}
          step={1}
          suffix={SETTINGS.seconds}
          help={SETTINGS.tokenLifeHelp}
          required
        />
      </div>
      <Ways
        name="binding"
        options={BINDING_OPTIONS}
        help={SETTINGS.bindingHelp}
        draft={draft}
        set={set}
      />
      <Ways
        name="scoreSignals"
        options={SCORE_SIGNAL_OPTIONS}
        help={SETTINGS.scoreSignalsHelp}
        draft={draft}
        set={set}
      />
      <Ways name="onUnavailable" options={UNAVAILABLE_OPTIONS} draft={draft} set={set} />
      <Ways
        name="noScript"
        options={NO_SCRIPT_OPTIONS}
        help={SETTINGS.noScriptHelp}
        draft={draft}
        set={set}
      />
      <ContactField value={draft.contact} onValue={(contact) => set("contact", contact)} />
      <SignedBots draft={draft} set={set} />
    </Panel>
  );
}

type WaysProps = GroupProps & {
  readonly name: "binding" | "scoreSignals" | "onUnavailable" | "noScript";
  readonly options: Parameters<typeof RadioField>[0]["options"];
  readonly help?: string;
};

/** A choice between a few options, each with its meaning. */
function Ways(props: WaysProps) {
  return (
    <RadioField
      label={SETTINGS[props.name]}
      name={props.name}
      value={props.draft[props.name]}
      onValue={(way) => props.set(props.name, way as SiteSettingsData[typeof props.name])}
      options={props.options}
      {...(props.help !== undefined && { help: props.help })}
    />
  );
}

/**
 * The choice only matters if the operator trusts a bot; an earlier choice stays visible, so that it
 * can be undone.
 */
function SignedBots({ draft, set }: GroupProps) {
  const names = me.value?.signedAgents ?? [];
  const help =
    names.length === 0
      ? SETTINGS.signedAgentsNone
      : `${SETTINGS.signedAgentsHelp} ${names.join(", ")}.`;
  if (names.length === 0 && draft.signedAgents === "judge") {
    return (
      <p class="quiet">
        <strong>{SETTINGS.signedAgents}.</strong> {help}
      </p>
    );
  }
  return (
    <RadioField
      label={SETTINGS.signedAgents}
      name="signedAgents"
      value={draft.signedAgents}
      onValue={(way) => set("signedAgents", way as SiteSettingsData["signedAgents"])}
      options={SIGNED_AGENT_OPTIONS}
      help={help}
    />
  );
}
