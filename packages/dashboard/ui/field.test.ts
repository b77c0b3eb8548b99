import assert from "node:assert/strict";
import { test } from "node:test";
import {
  descriptionOf,
  drawn,
  fieldsOf,
  renderPage,
  textOf,
} from "@stile/testkit/page/render-page";
import { h } from "preact";

const { CheckField, NumberField, RadioField, SelectField, TextAreaField, TextField } = await import(
  "./field.tsx"
);

const nothing = (): void => {};
const OPTIONS = [
  { value: "a", label: "Apples", help: "They keep." },
  { value: "b", label: "Pears" },
];
const common = { label: "Fruit & <b>", name: "fruit", onValue: nothing };
/** Every kind of field, with the same label, help and problem. */
const draw = (more: {
  readonly help?: string;
  readonly problem?: string;
}): Readonly<Record<string, string>> => ({
  text: renderPage(h(TextField, { ...common, ...more, value: "x" })),
  area: renderPage(h(TextAreaField, { ...common, ...more, value: "x" })),
  select: renderPage(h(SelectField, { ...common, ...more, value: "b", options: OPTIONS })),
  number: renderPage(h(NumberField, { ...common, ...more, value: 5 })),
});

test("gives every field its label, as text and never as markup", () => {
  for (const [kind, markup] of Object.entries(draw({}))) {
    const [label] = fieldsOf(markup).keys();
    assert.equal(label, common.label, kind);
    assert.ok(!markup.includes("<b>"), kind);
  }
});

test("connects help and problem to the field for screen readers, the help first, and nothing without them", () => {
  for (const [kind, markup] of Object.entries(
    draw({ help: "Pick one.", problem: "That is rotten." }),
  )) {
    const field = fieldsOf(markup).get(common.label) ?? assert.fail(kind);
    assert.equal(descriptionOf(markup, field), "Pick one. That is rotten.", kind);
    assert.equal(field.attributes["aria-invalid"], "true", kind);
  }
  for (const [kind, markup] of Object.entries(draw({}))) {
    const field = fieldsOf(markup).get(common.label) ?? assert.fail(kind);
    assert.equal(field.attributes["aria-describedby"], undefined, kind);
    assert.equal(field.attributes["aria-invalid"], "false", kind);
    assert.ok(!markup.includes("problem"), kind);
  }
});

test("gives no two fields of a page the same id, however alike they are", () => {
  const field = () => h(TextField, { ...common, value: "", help: "h", problem: "p" });
  const ids = [
    ...renderPage(h("div", {}, [field(), field(), field()])).matchAll(/ id="([^"]+)"/g),
  ].map(([, id]) => id);
  assert.equal(ids.length, 9);
  assert.equal(new Set(ids).size, 9);
});

test("passes the attributes for browsers and password managers on to the native input", () => {
  const markup = renderPage(
    h(TextField, {
      ...common,
      value: '"><script>',
      type: "password",
      autocomplete: "new-password",
      maxLength: 64,
      required: true,
    }),
  );
  const [field] = drawn(markup, "input");
  const { type, autocomplete, maxlength, value, name } = field?.attributes ?? {};
  assert.deepEqual(
    [type, autocomplete, maxlength, value, name],
    ["password", "new-password", "64", '"><script>', "fruit"],
  );
  assert.ok(field !== undefined && "required" in field.attributes);
});

test("shows the chosen option's own help in a select, unless there is one for all", () => {
  const select = (value: string, help?: string) =>
    renderPage(
      h(SelectField, { ...common, value, options: OPTIONS, ...(help !== undefined && { help }) }),
    );
  const helpOf = (markup: string) =>
    descriptionOf(markup, drawn(markup, "select")[0] ?? assert.fail());
  assert.equal(helpOf(select("a")), "They keep.");
  assert.equal(helpOf(select("b")), "");
  assert.equal(helpOf(select("a", "For all.")), "For all.");
  const chosen = drawn(select("b"), "option").filter(({ attributes }) => "selected" in attributes);
  assert.deepEqual(
    chosen.map(({ text }) => text),
    ["Pears"],
  );
});

test("groups radios under a name, each labelled with its help, and one of them chosen", () => {
  const markup = renderPage(
    h(RadioField, {
      ...common,
      value: "b",
      options: OPTIONS,
      help: "Pick one.",
      problem: "Not these.",
    }),
  );
  assert.equal(drawn(markup, "legend")[0]?.text, common.label);
  assert.deepEqual([...fieldsOf(markup).keys()], ["Apples They keep.", "Pears"]);
  const radios = drawn(markup, "input");
  assert.deepEqual(
    radios.map(({ attributes }) => ["checked" in attributes, attributes.value, attributes.name]),
    [
      [false, "a", "fruit"],
      [true, "b", "fruit"],
    ],
  );
  assert.equal(
    descriptionOf(markup, drawn(markup, "fieldset")[0] ?? assert.fail()),
    "Pick one. Not these.",
  );
});

test("keeps help and problem of a checkbox inside its label, where screen readers find them", () => {
  const markup = renderPage(
    h(CheckField, { ...common, checked: true, help: "Sure?", problem: "No." }),
  );
  assert.deepEqual([...fieldsOf(markup).keys()], [`${common.label} Sure? No.`]);
  assert.ok("checked" in (drawn(markup, "input")[0]?.attributes ?? {}));
});

test("shows a number's unit in its label, and treats an empty field as empty and not 0", () => {
  const number = (value: number | null) =>
    renderPage(h(NumberField, { ...common, label: "Life", value, suffix: "seconds" }));
  assert.equal(textOf(number(30)), "Life (seconds)");
  const shownFor = (value: number | null) => drawn(number(value), "input")[0]?.attributes.value;
  assert.deepEqual([30, 0, 0.35, null].map(shownFor), ["30", "0", "0.35", ""]);
});
