import assert from "node:assert/strict";
import { test } from "node:test";
import { findSettingsProblems } from "@stile/core/domain/site/site-settings";
import type { SiteSettingsData } from "@stile/protocol/dashboard-api";
import { SPOKEN } from "@stile/protocol/languages";
import { TOKEN_LIFE_SECONDS } from "@stile/protocol/limits";
import { BINDINGS, SIGNED_AGENTS, SITE_MODES, THEMES } from "@stile/protocol/site-settings";
import { actionsOf, drawn, fieldsOf, renderPage, textOf } from "@stile/testkit/page/render-page";
import { memberWithRole } from "@stile/testkit/page/signed-in-member";
import { h } from "preact";
import { me } from "../../../ui/session.ts";
import {
  BINDING_OPTIONS,
  DIFFICULTY_OPTIONS,
  MODE_OPTIONS,
  SIGNED_AGENT_OPTIONS,
  THEME_OPTIONS,
} from "./options.ts";
import type { SettingConflict } from "./settings-draft.ts";

const { SettingsForm } = await import("./settings-form.tsx");
const { DeleteSite } = await import("./delete-site.tsx");

const DRAFT: SiteSettingsData = {
  name: "Shop",
  domains: ["shop.example", "localhost"],
  mode: "managed",
  theme: "dark",
  language: "pt-BR",
  isEnabled: true,
  tokenLifeSeconds: 300,
  binding: "flag",
  thresholds: { challenge: 0.3, block: 0.6 },
  difficultyOffset: -1,
  signedAgents: "judge",
  verifyPerMinute: 500,
  scorePerMinute: null,
  scoreSignals: "expected",
  onUnavailable: "submit",
  noScript: "off",
  contact: "",
};
const form = (
  more: {
    draft?: Partial<SiteSettingsData>;
    isDirty?: boolean;
    conflicts?: SettingConflict[];
  } = {},
) =>
  renderPage(
    h(SettingsForm, {
      siteKey: "pk_1",
      isDirty: more.isDirty === true,
      conflicts: more.conflicts,
      draft: { ...DRAFT, ...more.draft },
      onDraft: () => {},
      onSave: async () => undefined,
      onDiscard: () => {},
    }),
  );

test("shows every setting with its value", () => {
  me.value = memberWithRole("developer");
  const markup = form();
  const inputs = drawn(markup, "input");
  const chosen = (name: string) =>
    inputs.find(({ attributes }) => attributes.name === name && "checked" in attributes)?.attributes
      .value;
  const valueIn = (name: string) =>
    inputs.find(({ attributes }) => attributes.name === name)?.attributes.value;
  const selected = drawn(markup, "option").flatMap(({ attributes }) =>
    "selected" in attributes ? attributes.value : [],
  );
  assert.equal(drawn(markup, "textarea")[0]?.text, "shop.example localhost");
  assert.deepEqual([chosen("mode"), chosen("binding")], ["managed", "flag"]);
  assert.deepEqual(
    ["dark", "-1", "pt-BR"].map((value) => selected.includes(value)),
    [true, true, true],
  );
  assert.deepEqual(["name", "thresholds", "thresholds.block", "tokenLifeSeconds"].map(valueIn), [
    "Shop",
    "0.3",
    "0.6",
    "300",
  ]);
  assert.deepEqual(
    ["verifyPerMinute", "scorePerMinute"].map(valueIn),
    ["500", ""],
    "no limit of its own is empty",
  );
});

test("lists the widget's languages by their own names, and keeps one from before there was a list", () => {
  const optionsOf = (language: string) => {
    const [select = ""] =
      form({ draft: { language } }).match(/<select[^>]*name="language".*?<\/select>/s) ?? [];
    return drawn(select, "option");
  };
  const listed = optionsOf("auto");
  assert.deepEqual(
    listed.map(({ attributes }) => attributes.value).toSorted(),
    ["auto", ...SPOKEN].toSorted(),
  );
  const texts = listed.map(({ text }) => text);
  assert.deepEqual(texts.slice(0, 3), [
    "Same as the page",
    "Bahasa Indonesia (id)",
    "Bahasa Melayu (ms)",
  ]);
  assert.ok(["Deutsch (de)", "日本語 (ja)"].every((text) => texts.includes(text)));
  const kept = optionsOf("la").at(-1);
  assert.deepEqual(
    [kept?.text, kept && "selected" in kept.attributes],
    ["la (chosen earlier)", true],
  );
});

test("gives every control a label", () => {
  assert.ok(!fieldsOf(form()).has(""));
  assert.ok(fieldsOf(form()).size >= 15);
});

test("limits the form's input to what the service accepts, and not one step beyond (D4, sealed token; D13, formats)", () => {
  const takes = (more: Partial<SiteSettingsData>) =>
    findSettingsProblems({ ...DRAFT, ...more }).length === 0;
  const limitsOf = (name: string): readonly [number, number, number] => {
    const field = drawn(form(), "input").find(({ attributes }) => attributes.name === name);
    const { min, max, step } = field?.attributes ?? {};
    return [Number(min), Number(max), Number(step)];
  };
  const settings: Readonly<Record<string, (value: number) => Partial<SiteSettingsData>>> = {
    tokenLifeSeconds: (tokenLifeSeconds) => ({ tokenLifeSeconds }),
    verifyPerMinute: (verifyPerMinute) => ({ verifyPerMinute }),
    scorePerMinute: (scorePerMinute) => ({ scorePerMinute }),
    "thresholds.block": (block) => ({ thresholds: { challenge: 0.01, block } }),
    thresholds: (challenge) => ({ thresholds: { challenge, block: 1 } }),
  };
  for (const [name, change] of Object.entries(settings)) {
    const [min, max, step] = limitsOf(name);
    assert.deepEqual(
      [min, max, min - step, max + step].map((value) => takes(change(value))),
      [true, true, false, false],
      name,
    );
  }
  assert.deepEqual(limitsOf("tokenLifeSeconds").slice(0, 2), [
    TOKEN_LIFE_SECONDS.min,
    TOKEN_LIFE_SECONDS.max,
  ]);
});

test("offers for each choice exactly the service's values, each with its own name (D5, binding; D13, formats)", () => {
  const table = [
    [MODE_OPTIONS, Object.keys(SITE_MODES)],
    [BINDING_OPTIONS, Object.keys(BINDINGS)],
    [SIGNED_AGENT_OPTIONS, Object.keys(SIGNED_AGENTS)],
    [THEME_OPTIONS, [...THEMES]],
    [DIFFICULTY_OPTIONS, ["-1", "0", "1", "2"]],
  ] as const;
  for (const [options, known] of table) {
    assert.deepEqual(
      options.map(({ value }) => value),
      known,
    );
    assert.equal(new Set(options.map(({ label }) => label)).size, known.length);
  }
  const takes = (difficultyOffset: number) =>
    findSettingsProblems({ ...DRAFT, difficultyOffset }).length === 0;
  assert.deepEqual([-2, ...DIFFICULTY_OPTIONS.map(({ value }) => Number(value)), 3].map(takes), [
    false,
    true,
    true,
    true,
    true,
    false,
  ]);
});

test("enables saving after a change, and then offers to discard it", () => {
  const saveOf = (markup: string) =>
    drawn(markup, "button").find(({ text }) => text === "Save changes");
  assert.ok("disabled" in (saveOf(form())?.attributes ?? {}));
  const dirty = form({ isDirty: true });
  assert.ok(!("disabled" in (saveOf(dirty)?.attributes ?? {})));
  assert.deepEqual(actionsOf(dirty), ["Save changes", "Discard"]);
  assert.match(textOf(dirty), /You have unsaved changes\.$/);
});

test("shows a viewer every value, lets them change none, and says why", () => {
  me.value = memberWithRole("viewer");
  const markup = form();
  assert.match(markup, /<fieldset class="bare" disabled/);
  assert.deepEqual(actionsOf(markup), []);
  assert.match(textOf(markup), /Your role is read-only/);
  assert.match(markup, /value="Shop"/);
});

test("names each setting that two people changed, with their value and mine", () => {
  me.value = memberWithRole("developer");
  const conflicts = (Object.keys(DRAFT) as (keyof SiteSettingsData)[]).map((field) => ({
    field,
    mine: DRAFT[field],
    theirs: field === "domains" ? ["<b>.example"] : null,
  }));
  const items = drawn(form({ conflicts }), "li").map(({ text }) => text);
  assert.equal(items.length, conflicts.length);
  assert.equal(items[0], "Name: theirs nothing , yours Shop");
  assert.equal(items[1], "Domains: theirs <b>.example , yours shop.example, localhost");
  for (const [at, { field }] of conflicts.entries())
    assert.ok(!items[at]?.startsWith(field), `${field} has a name`);
  assert.match(textOf(form({ conflicts: [] })), /The form now has their changes as well as yours/);
  assert.doesNotMatch(textOf(form()), /meanwhile/);
});

test("offers the trusted signed bots by name, or says what to do if there are none", () => {
  me.value = memberWithRole("developer");
  const choices = (markup: string) =>
    drawn(markup, "input").filter(({ attributes }) => attributes.name === "signedAgents").length;
  const without = form();
  assert.equal(choices(without), 0);
  assert.match(
    textOf(without),
    /Signed bots\. This service does not trust any bot's signature\. .* STILE_SIGNED_AGENTS names\./,
  );
  assert.equal(
    choices(form({ draft: { signedAgents: "let_through" } })),
    2,
    "a choice can be undone",
  );
  me.value = memberWithRole("developer", { signedAgents: ["Otter", "<b>Heron"] });
  const markup = form({ draft: { signedAgents: "let_through" } });
  assert.equal(choices(markup), 2);
  assert.match(textOf(markup), /trusts: Otter, <b>Heron\./);
  assert.doesNotMatch(markup, /<b>/);
  assert.match(markup, /value="let_through" checked|checked[^>]* value="let_through"/);
});

test("shows the service's own limit, which applies if the field is empty", () => {
  me.value = memberWithRole("developer", {
    defaultLimits: { verifyPerMinute: 1234, scorePerMinute: 56 },
  });
  const fields = drawn(form({ draft: { verifyPerMinute: null, scorePerMinute: 7 } }), "input");
  const holderOf = (name: string) =>
    fields.find(({ attributes }) => attributes.name === name)?.attributes.placeholder;
  assert.deepEqual(["verifyPerMinute", "scorePerMinute"].map(holderOf), [
    "default: 1,234",
    "default: 56",
  ]);
});

test("names the hosts that pasted addresses become", () => {
  const markup = form({ draft: { domains: ["https://Shop.Example/cart", "a.example"] } });
  assert.match(textOf(markup), /These will be saved: shop\.example /);
});

test("shows no preview for an invisible widget, and says so", () => {
  assert.match(
    form(),
    /<stile-captcha sitekey="pk_1" theme="dark" language="pt-BR" form="widget-preview">/,
  );
  const invisible = form({ draft: { mode: "invisible" } });
  assert.doesNotMatch(invisible, /<stile-captcha/);
  assert.match(textOf(invisible), /An invisible widget shows nothing/);
});

test("lets only an admin delete a site, and names the needed role to others", () => {
  const site = { ...DRAFT, siteKey: "pk_1", createdAtMs: 0, revision: 1, secretKeys: [] };
  const draw = () => renderPage(h(DeleteSite, { site, onDelete: () => {} }));
  me.value = memberWithRole("developer");
  assert.ok("disabled" in (drawn(draw(), "button")[0]?.attributes ?? {}));
  assert.match(textOf(draw()), /This needs the admin role/);
  me.value = memberWithRole("admin");
  assert.ok(!("disabled" in (drawn(draw(), "button")[0]?.attributes ?? {})));
});
