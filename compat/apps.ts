// The client libraries of the grid: each app is used as the library's documentation says. An app puts
// its tokens into `got`. `go` asks for one, if the library does not work as soon as it is touched. The
// page's `onExpired` and `onError` are what the app gives the library, in the documented way, to hear
// of an expired token and of an error; an app without them has a library without such a way.

/** A client library in an app of its own. */
export type ClientApp = {
  readonly library: string;
  readonly name?: string;
  /** B: our script stands before the library. A: the library loads it by a public option. */
  readonly level: "A" | "B";
  /** The tag of our script that the page has before the app. */
  readonly script?: string;
  readonly kind: "react" | "vue" | "plain" | "svelte" | "angular";
  readonly imports: string;
  readonly code: string;
  /** The server's path for its tokens. */
  readonly path: string;
};

const RECAPTCHA = "/recaptcha/api/siteverify";
const HCAPTCHA = "/siteverify";
const TURNSTILE = "/turnstile/v0/siteverify";
const V2 = '<script src="BASE/recaptcha/api.js?render=explicit"></script>';
const V3 = '<script id="google-recaptcha-v3" src="BASE/recaptcha/api.js?render=KEY"></script>';
const CF =
  '<script id="cf-turnstile-script" src="BASE/turnstile/v0/api.js?render=explicit"></script>';

/** All client libraries. */
export const APPS: readonly ClientApp[] = [
  {
    library: "react-google-recaptcha",
    level: "B",
    script: V2,
    kind: "react",
    path: RECAPTCHA,
    imports: 'import ReCAPTCHA from "react-google-recaptcha";',
    code: `const ref = React.createRef(); window.again = () => ref.current.reset();
mount(<ReCAPTCHA ref={ref} sitekey={KEY} onChange={(token) => got.push(token)} onExpired={onExpired} onErrored={onError} />);`,
  },
  {
    library: "react-google-recaptcha",
    name: "react-google-recaptcha, invisible",
    level: "B",
    script: V2,
    kind: "react",
    path: RECAPTCHA,
    imports: 'import ReCAPTCHA from "react-google-recaptcha";',
    code: `const ref = React.createRef(); window.again = () => ref.current.reset();
window.go = async () => got.push(await ref.current.executeAsync());
mount(<ReCAPTCHA ref={ref} sitekey={KEY} size="invisible" onExpired={onExpired} onErrored={onError} />);`,
  },
  {
    library: "react-google-recaptcha-v3",
    level: "B",
    script: V3,
    kind: "react",
    path: RECAPTCHA,
    imports:
      'import { GoogleReCaptchaProvider, useGoogleReCaptcha } from "react-google-recaptcha-v3";',
    code: `const Inner = () => { const { executeRecaptcha } = useGoogleReCaptcha();
window.go = executeRecaptcha && (async () => got.push(await executeRecaptcha("login"))); return null; };
mount(<GoogleReCaptchaProvider reCaptchaKey={KEY}><Inner /></GoogleReCaptchaProvider>);`,
  },
  {
    library: "@marsidev/react-turnstile",
    level: "B",
    script: CF,
    kind: "react",
    path: TURNSTILE,
    imports: 'import { Turnstile } from "@marsidev/react-turnstile";',
    code: `const ref = React.createRef(); window.again = () => ref.current.reset();
mount(<Turnstile ref={ref} siteKey={KEY} injectScript={false} onSuccess={(token) => got.push(token)} onExpire={onExpired} onError={onError} />);`,
  },
  {
    library: "react-turnstile",
    level: "B",
    script: CF,
    kind: "react",
    path: TURNSTILE,
    imports: 'import Turnstile, { useTurnstile } from "react-turnstile";',
    code: `const App = () => { const turnstile = useTurnstile(); window.again = () => turnstile.reset();
return <Turnstile sitekey={KEY} onVerify={(token) => got.push(token)} onExpire={onExpired} onError={onError} />; };
mount(<App />);`,
  },
  {
    library: "@hcaptcha/react-hcaptcha",
    level: "A",
    kind: "react",
    path: HCAPTCHA,
    imports: 'import HCaptcha from "@hcaptcha/react-hcaptcha";',
    code: `const ref = React.createRef(); window.again = () => ref.current.resetCaptcha();
mount(<HCaptcha ref={ref} sitekey={KEY} scriptSource={BASE + "/1/api.js"} sentry={false} onVerify={(token) => got.push(token)} onExpire={onExpired} onError={onError} />);`,
  },
  {
    library: "@hcaptcha/react-hcaptcha",
    name: "@hcaptcha/react-hcaptcha, execute",
    level: "A",
    kind: "react",
    path: HCAPTCHA,
    imports: 'import HCaptcha from "@hcaptcha/react-hcaptcha";',
    code: `const ref = React.createRef(); window.again = () => ref.current.resetCaptcha();
window.go = async () => got.push((await ref.current.execute({ async: true })).response);
mount(<HCaptcha ref={ref} sitekey={KEY} size="invisible" scriptSource={BASE + "/1/api.js"} sentry={false} onExpire={onExpired} onError={onError} />);`,
  },
  {
    library: "@hcaptcha/loader",
    level: "A",
    kind: "plain",
    path: HCAPTCHA,
    imports: 'import { hCaptchaLoader } from "@hcaptcha/loader";',
    code: `hCaptchaLoader({ apihost: BASE, sentry: false }).then(() => {
  const id = hcaptcha.render(ROOT, { sitekey: KEY, callback: (token) => got.push(token), "expired-callback": onExpired, "error-callback": onError });
  window.again = () => hcaptcha.reset(id); window.unmount = () => hcaptcha.remove(id);
});`,
  },
  {
    library: "recaptcha-v3",
    level: "A",
    kind: "plain",
    path: RECAPTCHA,
    imports: 'import { load } from "recaptcha-v3";',
    code: `load(KEY, { customUrl: BASE + "/recaptcha/api.js" }).then((recaptcha) => {
  window.go = async () => got.push(await recaptcha.execute("login"));
});`,
  },
  {
    library: "ng-recaptcha-2",
    level: "A",
    kind: "angular",
    path: RECAPTCHA,
    // The compiler comes first: the library is published for Angular's linker, or this.
    imports: `import "@angular/compiler";
import { RECAPTCHA_LOADER_OPTIONS, RecaptchaModule } from "ng-recaptcha-2";`,
    code: `class App { resolved(token, box) { token ? got.push(token) : onExpired(); window.again = () => box.reset(); } errored() { onError(); } }
mount(App, { imports: [RecaptchaModule],
  template: '<re-captcha #box siteKey="' + KEY + '" (resolved)="resolved($event, box)" (errored)="errored()" errorMode="handled"></re-captcha>' },
[{ provide: RECAPTCHA_LOADER_OPTIONS, useValue: { onBeforeLoad: () => ({ url: new URL(BASE + "/recaptcha/api.js") }) } }]);`,
  },
  {
    library: "next-recaptcha-v3",
    level: "A",
    kind: "react",
    path: RECAPTCHA,
    imports: 'import { ReCaptchaProvider, useReCaptcha } from "next-recaptcha-v3";',
    code: `const Inner = () => { const { executeRecaptcha } = useReCaptcha();
window.go = async () => got.push(await executeRecaptcha("login")); return null; };
mount(<ReCaptchaProvider reCaptchaKey={KEY} src={BASE + "/recaptcha/api.js?render=" + KEY}><Inner /></ReCaptchaProvider>);`,
  },
  {
    library: "next-turnstile",
    level: "B",
    script: CF,
    kind: "react",
    path: TURNSTILE,
    imports: 'import { Turnstile } from "next-turnstile";',
    code: `window.again = () => turnstile.reset();
mount(<Turnstile siteKey={KEY} onVerify={(token) => got.push(token)} onExpire={onExpired} onError={onError} />);`,
  },
  {
    library: "reaptcha",
    level: "B",
    script: V2,
    kind: "react",
    path: RECAPTCHA,
    imports: 'import Reaptcha from "reaptcha";',
    code: `const ref = React.createRef(); window.again = () => ref.current.reset();
mount(<Reaptcha ref={ref} sitekey={KEY} inject={false} onVerify={(token) => got.push(token)} onExpire={onExpired} onError={onError} />);`,
  },
  {
    library: "react-recaptcha",
    level: "B",
    script: V2,
    kind: "react",
    path: RECAPTCHA,
    imports: 'import Recaptcha from "react-recaptcha";',
    code: `const ref = React.createRef(); window.again = () => ref.current.reset();
mount(<Recaptcha ref={ref} sitekey={KEY} elementID={"box-" + ROOT} render="explicit" onloadCallback={() => {}} verifyCallback={(token) => got.push(token)} expiredCallback={onExpired} />);`,
  },
  {
    library: "vue-recaptcha",
    level: "B",
    script: V2,
    kind: "vue",
    path: RECAPTCHA,
    imports: 'import { VueRecaptcha } from "vue-recaptcha";',
    code: `mount({ setup() { const box = ref(); window.again = () => box.value.reset();
return () => h(VueRecaptcha, { ref: box, sitekey: KEY, loadRecaptchaScript: false, onVerify: (token) => got.push(token), onExpired, onError }); } });`,
  },
  {
    library: "vue-recaptcha-v3",
    level: "A",
    kind: "vue",
    path: RECAPTCHA,
    imports: 'import { VueReCaptcha, useReCaptcha } from "vue-recaptcha-v3";',
    code: `mount({ setup() { const { executeRecaptcha, recaptchaLoaded } = useReCaptcha();
window.go = async () => { await recaptchaLoaded(); got.push(await executeRecaptcha("login")); }; return () => h("i"); } },
(app) => app.use(VueReCaptcha, { siteKey: KEY, loaderOptions: { customUrl: BASE + "/recaptcha/api.js" } }));`,
  },
  {
    library: "vue3-recaptcha2",
    level: "B",
    script: V2,
    kind: "vue",
    path: RECAPTCHA,
    imports: 'import VueRecaptcha from "vue3-recaptcha2";',
    code: `mount({ setup() { const box = ref(); window.again = () => box.value.reset();
const onExpire = () => { onExpired(); box.value.reset(); };
return () => h(VueRecaptcha, { ref: box, sitekey: KEY, onVerify: (token) => got.push(token), onExpire, onFail: onError }); } });`,
  },
  {
    library: "@hcaptcha/vue3-hcaptcha",
    level: "A",
    kind: "vue",
    path: HCAPTCHA,
    imports: 'import VueHcaptcha from "@hcaptcha/vue3-hcaptcha";',
    code: `mount({ setup() { const box = ref(); window.again = () => box.value.reset();
return () => h(VueHcaptcha, { ref: box, sitekey: KEY, apiEndpoint: BASE + "/1/api.js", sentry: false, onVerify: (token) => got.push(token), onExpired, onError }); } });`,
  },
  {
    library: "vue-turnstile",
    level: "B",
    script: CF,
    kind: "vue",
    path: TURNSTILE,
    imports: 'import VueTurnstile from "vue-turnstile";',
    code: `mount({ setup() { const box = ref(); window.again = () => box.value.reset();
return () => h(VueTurnstile, { ref: box, siteKey: KEY, modelValue: "", "onUpdate:modelValue": (token) => token && got.push(token), onExpired, onError }); } });`,
  },
  {
    library: "svelte-turnstile",
    level: "B",
    script: CF,
    kind: "svelte",
    path: TURNSTILE,
    imports: 'import { Turnstile } from "svelte-turnstile";',
    code: `const app = new Turnstile({ target: document.getElementById(ROOT), props: { siteKey: KEY } });
app.$on("callback", ({ detail }) => got.push(detail.token)); app.$on("expired", onExpired); app.$on("error", onError);
window.again = () => app.reset(); window.unmount = () => app.$destroy();`,
  },
];

const NONE = { imports: "", mount: "" };
const PRELUDES: Readonly<Record<ClientApp["kind"], { imports: string; mount: string }>> = {
  plain: NONE,
  svelte: NONE,
  angular: {
    imports: `import { Component } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";`,
    mount: `const mount = async (App, metadata, providers) => {
Component({ selector: "#" + ROOT, ...metadata })(App);
const app = await bootstrapApplication(App, { providers }); window.unmount = () => app.destroy(); };`,
  },
  react: {
    imports: `import React, { StrictMode } from "react"; import { createRoot } from "react-dom/client";`,
    mount: `const mount = (app) => { const root = createRoot(document.getElementById(ROOT));
root.render(<StrictMode>{app}</StrictMode>); window.unmount = () => root.unmount(); };`,
  },
  vue: {
    imports: 'import { createApp, h, ref } from "vue";',
    mount: `const mount = (component, use) => { const app = createApp(component); use?.(app);
app.mount("#" + ROOT); window.unmount = () => app.unmount(); };`,
  },
};

/** The app as a module, which runs once for each element of the page that is named in ROOTS. */
export const sourceOf = ({ kind, imports, code }: ClientApp): string =>
  `${imports}\n${PRELUDES[kind].imports}\nconst { KEY, BASE, ROOTS, got, onExpired, onError } = window;
for (const ROOT of ROOTS) {\n${PRELUDES[kind].mount}\n${code}\n}`;
