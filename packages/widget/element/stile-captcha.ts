import { THEMES } from "@stile/protocol/site-settings";
import { loadSurface } from "../load-surface.ts";
import { transition } from "../machine/transition.ts";
import { isOfPage, mayPass, type WidgetError } from "../machine/widget-error.ts";
import { isOut, isWorking, needsVisitor, type WidgetEvent, type WidgetState } from "../machine/widget-state.ts";
import type { ServiceChallenge } from "../service/answers.ts";
import { carry, PENDING, UNAVAILABLE } from "./carry.ts";
import { type Release, watchForm } from "./form-watch.ts";
import { createObserving, type Observing } from "./observing.ts";
import type { PageServices } from "./page-services.ts";
import { isUnseen, readAttribute } from "./read-attribute.ts";
import { createRunning, type Running } from "./running.ts";
import { tellState } from "./tell-state.ts";
import { isInUse, planRenewal } from "./token-life.ts";
import { createView, type View } from "./view.ts";
import { createVoice, type Voice } from "./voice.ts";

type SiteTerms = Pick<ServiceChallenge, "theme" | "language" | "isInvisible" | "keepsForm">;

/** Attributes by which a challenge is asked for, or refused: a change begins anew. */
const RESTARTING = ["sitekey", "action", "cdata", "endpoint"];
const SPOKEN = ["language", "strings"];
const SHOWN = ["theme", "appearance", "size", "dir", "response-field", "response-field-name"];

/** `<stile-captcha>`: what it shows and does in a state is decided by `transition`, what it looks like by its view. */
export class StileCaptcha extends HTMLElement {
  static readonly formAssociated = true;
  static readonly observedAttributes = [...RESTARTING, ...SPOKEN, ...SHOWN].flatMap((name) => [name, `data-${name}`]);

  readonly #page: PageServices;
  readonly #internals = this.attachInternals();
  readonly #root = this.attachShadow({ mode: "open", delegatesFocus: true });
  readonly #view: View = createView(this.#root);
  #state: WidgetState = { name: "idle", run: 0 };
  readonly #voice: Voice;
  /** What the last challenge said of the site. */
  #site: SiteTerms = { theme: "auto", language: "auto", isInvisible: false, keepsForm: false };
  #connectedMs = 0;
  readonly #observing: Observing;
  #connection = new AbortController();
  readonly #running: Running;
  #release: Release | undefined;
  /** Whether somebody waits for the token: a held form, or a script. */
  #isAwaited = false;
  /** The tokens that went out last: with a submission, to a script, or in what was read of the form. */
  readonly #sent: { form?: string; script?: string; read?: string } = {};
  #expiresAtMs = Number.POSITIVE_INFINITY;
  /** A token that is being renewed, and good until then (device's clock); it is used until another is there. */
  #aging: { readonly shown: WidgetState & { readonly name: "verified" }; readonly untilMs: number } | undefined;

  constructor(page: PageServices) {
    super();
    this.#page = page;
    this.#observing = createObserving(page.recorder);
    this.#running = createRunning(page.base);
    this.#voice = createVoice(page.base, () => this.#present());
    this.#view.button.addEventListener("click", () => {
      const { name } = this.#state;
      this.#send({ type: "click" });
      // Who is asked waits; who presses unasked most often has the form in front of them.
      if (name === "interactive") this.#observing.hurry();
    });
  }

  /**
   * The token, or an empty string while there is none. One that went out with a submission stays until the next is there: its handler
   * may read it late.
   */
  get value(): string {
    return this.#token || this.#sent.form || "";
  }

  get #token(): string {
    const shown = this.#shown;
    return shown.name === "verified" ? shown.token : "";
  }

  /** Whether the form may go without a token: the service is out of reach, and neither page nor site keeps it for that (D15). */
  get #mayGoWithout(): boolean {
    const wanted = this.#read("on-unavailable") ?? (this.#site.keepsForm ? "block" : "submit");
    return isOut(this.#state) && wanted !== "block";
  }

  /** The state that is to be seen: while a token that is still good is renewed, that is nobody's concern. */
  get #shown(): WidgetState {
    const state = this.#state;
    const isQuiet = state.name === "error" ? mayPass(state.error) : !needsVisitor(state) && state.name !== "idle";
    return isQuiet && this.#aging && Date.now() < this.#aging.untilMs ? this.#aging.shown : state;
  }

  /** The name of the present state. */
  get state(): WidgetState["name"] {
    return this.#state.name;
  }

  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }

  /**
   * Hands out the token to a submission or to a script, to each once; an empty string where there is none that it did not have. Then
   * one is being earned, as fast as can be, and the visitor is led to the widget where it needs them.
   */
  take(taker: "form" | "script"): string {
    const token = this.#token;
    if (token && this.#sent[taker] !== token) {
      this.#sent[taker] = token;
      return token;
    }
    this.#want();
    this.#isAwaited = true;
    this.#observing.hurry();
    this.#carryOn(this.#state);
    return "";
  }

  /** Drops the token and begins anew, as a reset of the form does. */
  reset(): void {
    this.#sent.form = "";
    this.#drop();
    this.#startUnasked();
  }

  connectedCallback(): void {
    this.#connectedMs = performance.now();
    const { base } = this.#page;
    if (/callback/.test(`${this.getAttributeNames()}`))
      void loadSurface(base).then((all) => all?.listen(this.#page, this));
    this.#watch();
    this.#speak();
    this.#present();
    this.#startUnasked();
  }

  disconnectedCallback(): void {
    this.#connection.abort();
    this.#release = undefined;
    this.#isAwaited = false;
    this.#send({ type: "disconnect" });
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now) return;
    const plain = name.replace("data-", "");
    if (SHOWN.includes(plain)) this.#present();
    else if (plain === "language") this.#speak();
    else this.reset();
    if (plain === "strings") this.#speak();
  }

  formAssociatedCallback(): void {
    if (this.isConnected) this.#watch();
  }

  formResetCallback(): void {
    this.reset();
  }

  formDisabledCallback(isDisabled: boolean): void {
    this.#view.button.disabled = isDisabled;
  }

  #watch(): void {
    this.#connection.abort();
    this.#connection = new AbortController();
    const { signal } = this.#connection;
    const { button } = this.#view;
    this.#release = watchForm(
      this.form,
      signal,
      () => button.disabled || this.#isResting || this.#isLeftAlone || this.#want(),
      () => this.#observing.hurry(),
      () => {
        this.#sent.read = this.#token;
      },
      () => button.disabled || this.#mayGoWithout || this.take("form") !== "",
    );
    document.addEventListener("visibilitychange", () => this.#wake(), { signal });
    addEventListener("online", () => this.#wake(), { signal });
    // Back from the back/forward cache: the token went out with the form that was left then.
    addEventListener("pageshow", (event) => event.persisted && this.reset(), { signal });
  }

  get #isResting(): boolean {
    return this.#state.name === "error" && this.#running.isResting();
  }

  #read(name: string): string | null {
    return readAttribute(this, name);
  }

  /** Whether the page has said of this state that nothing begins in it but by a press, a submission or a script. */
  get #isLeftAlone(): boolean {
    const { name } = this.#state;
    const attribute = { error: "retry", expired: "refresh-expired" }[name as string] ?? "execution";
    return /^(execute|submit|manual|never)$/.test(this.#read(attribute) ?? "");
  }

  #startUnasked(): void {
    if (this.#read("execution") === "render" && this.isConnected) this.#send({ type: "start" });
  }

  #drop(): void {
    this.#aging = undefined;
    this.#send({ type: "reset" });
  }

  /** Begins to earn a token where there is none, or only one that went out: nobody works for a form that is not used again. */
  #want(): void {
    const token = this.#token;
    if (token && Object.values(this.#sent).includes(token)) this.#drop();
    this.#send({ type: "start" });
  }

  #send(event: WidgetEvent): void {
    const before = this.#state;
    const { state, effect } = transition(before, event);
    if (state === before) return;
    this.#state = state;
    if (state.run !== before.run || !isWorking(state)) this.#running.end();
    if ("challenge" in state) {
      this.#site = state.challenge;
      this.#speak();
    }
    this.#present();
    if (state.name !== before.name) {
      tellState(this, state, () => this.#state === state);
      if (this.#state === state) this.#carryOn(state);
    }
    if (state.name === "error") void this.#voice.learn(state.error);
    if (effect?.type === "await_expiry") this.#awaitExpiry(effect.lifeMs);
    else if (effect?.type === "await_retry") this.#running.awaitRetry(effect.error, () => this.#wake());
    else if (effect !== undefined && this.#state === state) {
      const fail = (error: WidgetError): void => this.#send({ type: "failed", run: state.run, error });
      this.#running.perform(effect, () => this.#order(state.run), fail);
    }
  }

  #speak(): void {
    const strings = this.#read("strings");
    if (strings) void this.#voice.replace(strings);
    const around = this.closest<HTMLElement>("[lang]")?.lang;
    void this.#voice.wish([this.#read("language"), this.#site.language, around, ...navigator.languages]);
  }

  #order(run: number) {
    return {
      ...{ run, element: this, observed: this.#observing.begin() },
      behaviour: (solveMs: number | null) => this.#page.recorder.snapshot(this.#connectedMs, solveMs, this),
      send: (event: WidgetEvent) => this.#send(event),
    };
  }

  #present(): void {
    const shown = this.#shown;
    carry(this, this.#internals, this.value || (this.#mayGoWithout ? UNAVAILABLE : PENDING));
    const theme = this.#read("theme");
    const { box, button } = this.#view;
    box.dataset.theme = THEMES.find((known) => known === theme) ?? this.#site.theme;
    const texts = this.#voice.texts();
    const isHopeless = shown.name === "error" && isOfPage(shown.error);
    this.#view.show(shown, isHopeless ? { ...texts, retry: texts.verify } : texts);
    if (isHopeless) button.ariaDisabled = "true";
    box.hidden = isUnseen(this, shown, this.#site.isInvisible);
  }

  /** Leads the visitor to a widget that somebody waits for, and lets a held form go once that is over. */
  #carryOn(state: WidgetState): void {
    if (!this.#isAwaited) return;
    const mayGoWithout = this.#mayGoWithout;
    // Brings it into view, too: nothing else tells who pressed below the fold why nothing happens.
    if (needsVisitor(state) && !mayGoWithout) this.#view.button.focus();
    if (isWorking(state)) return;
    this.#isAwaited = false;
    // A listener may have sent the form already.
    this.#release?.(mayGoWithout || (state.name === "verified" && this.#sent.form !== state.token));
  }

  #awaitExpiry(lifeMs: number): void {
    const nowMs = Date.now();
    const { renewAtMs, goodUntilMs } = planRenewal(lifeMs, nowMs);
    this.#running.succeed();
    this.#expiresAtMs = renewAtMs;
    this.#aging = this.#state.name === "verified" ? { shown: this.#state, untilMs: goodUntilMs } : undefined;
    this.#running.later(renewAtMs - nowMs + 1, () => this.#wake());
  }

  /** When time, the network or the visitor came back: timers stand still while a machine sleeps. */
  #wake(): void {
    if (!this.isConnected || document.visibilityState !== "visible") return;
    if (this.#state.name === "error" && !this.#isResting && !this.#isLeftAlone) this.#send({ type: "start" });
    if (this.#state.name !== "verified" || Date.now() < this.#expiresAtMs) return;
    this.#send({ type: "expire", run: this.#state.run });
    if (this.#aging) setTimeout(() => this.#present(), this.#aging.untilMs - Date.now() + 1);
    if (!this.#isLeftAlone && isInUse(this.#page.recorder.lastInputMs(), performance.now()))
      this.#send({ type: "start" });
  }
}
