import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf, renderPage, textOf } from "@stile/testkit/page/render-page";
import { h } from "preact";

const { SignInPage } = await import("./sign-in-page.tsx");

test("asks for email and password in fields that password managers know, and says who helps", () => {
  const markup = renderPage(h(SignInPage, {}), "/dashboard/sign-in");
  const kinds = [...fieldsOf(markup)].map(([label, { attributes }]) => [
    label,
    attributes.type,
    attributes.autocomplete,
  ]);
  assert.deepEqual(kinds, [
    ["Email", "email", "username"],
    ["Password", "password", "current-password"],
  ]);
  assert.match(
    textOf(markup),
    /Locked out\? Ask an admin of the account for a reset link\..*npm run stile -- reset-link/,
  );
});
