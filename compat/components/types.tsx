// The types of the components, as a compiler sees them; a wrong line without an error is one itself.
import { Stile as ReactStile, type StileHandle } from "@stile/react";
import type { Stile as SvelteStile } from "@stile/svelte";
import { Stile as VueStile } from "@stile/vue";
import { loadStile, type WidgetErrorName } from "@stile/widget";
import type {} from "@stile/widget/react";
import { createRef } from "react";
import type { ComponentProps } from "svelte";
import { h } from "vue";

const right = { baseUrl: "https://captcha.example", siteKey: "pk_1" };
const ref = createRef<StileHandle>();

export const react = (
  <ReactStile
    {...right}
    ref={ref}
    theme="dark"
    strings={{ verify: "Go" }}
    onVerify={(token) => token.trim()}
    onError={({ name }) => name satisfies WidgetErrorName}
  />
);
export const element = <stile-captcha sitekey="pk_1" response-field="false" />;
export const vue = h(VueStile, { ...right, onVerify: (token: string) => token.trim() });
export const svelte: ComponentProps<typeof SvelteStile> = { ...right, onExpire: () => {} };
export const token: Promise<string> | undefined = ref.current?.execute();
export const resetVue = (instance: InstanceType<typeof VueStile>): void => instance.reset();
export const value: string | undefined = document.querySelector("stile-captcha")?.value;
export const version: Promise<string> = loadStile(right.baseUrl).then((stile) => stile.version);

// @ts-expect-error: no such theme
export const wrongTheme = <ReactStile {...right} theme="drak" />;
// @ts-expect-error: the site's key is missing
export const withoutKey = <ReactStile baseUrl="https://captcha.example" />;
// @ts-expect-error: no such option
export const unknownOption = <ReactStile {...right} sitekey="pk_1" />;
// @ts-expect-error: no such size
export const wrongSize = h(VueStile, { ...right, size: "huge" });
// @ts-expect-error: the site's key is missing
export const svelteWithoutKey: ComponentProps<typeof SvelteStile> = { baseUrl: "" };
