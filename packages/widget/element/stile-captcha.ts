import { THEMES, type Theme } from "@stile/protocol/site-settings";
import { en } from "../languages/en.ts";
import { transition } from "../machine/transition.ts";
import { widgetError } from "../machine/widget-error.ts";
import { isWorking, needsVisitor, type WidgetEvent, type WidgetState } from "../machine/widget-state.ts";
import { withoutSlash } from "../service/own-address.ts";
import { createServiceClient } from "../service/service-client.ts";
import type { BehaviourRecorder } from "../signals/behaviour-recorder.ts";
import { loadCollector } from "../signals/load-collector.ts";
import { loadFallback } from "../solver/load-fallback.ts";
import { openSolverFrame } from "../solver/solver-frame.ts";
import { type FormWatch, watchForm } from "./form-watch.ts";
import { pageSurroundings } from "./page-surroundings.ts";
import { type Job, perform } from "./perform.ts";
import { announcementOf, createView, type View } from "./view.ts";

/** What all widgets of a page share, set once by the script. */
export type PageServices = {
  /** Where the service lives, without a slash at the end; empty until `stile.configure` says it where the script can't know. */
  readonly base: string;
  readonly recorder: BehaviourRecorder;
};

const DEFAULT_FIELD_NAME = "stile-response";
/** Treated as expired this long before it is, so that a form never carries a token that dies on the way; at most half its life. */
const EXPIRY_MARGIN_MS = 30_000;
/**
 * When a token expires in a page that is visible and was used within this time, a new one is earned at once; in any other page
 * it is earned at the next touch of the form.
 */
const RENEW_WHEN_USED_WITHIN_MS = 300_000;
/**
 * The visitor is observed for this long, counted from the start of the first run, and until they were noticed, before the work is
 * handed in; not if somebody waits for the token. The work alone takes about a second, in which most people press once and type a few keys. Two
 * seconds more show enough of both to tell people from programs.
 */
const OBSERVED_FOR_MS = 3_000;

/** `<stile-captcha>`: what it shows and does in a state is decided by `transition`, what it looks like by its view. */
export class StileCaptcha extends HTMLElement {
  static readonly formAssociated = true;
  static readonly observedAttributes = ["sitekey", "action", "cdata", "endpoint", "theme"];

  readonly #page: PageServices;
  readonly #internals = this.attachInternals();
  readonly #root = this.attachShadow({ mode: "open", delegatesFocus: true });
  readonly #view: View = createView(this.#root, en);
  #state: WidgetState = { name: "idle", run: 0 };
  #siteTheme: Theme = "auto";
  #isInvisible = false;
  #connectedMs = 0;
  /** When the visitor will have been observed for long enough; known from the first run on. */
  #observedAtMs: number | undefined;
  #hurry = (): void => {};
  #connection = new AbortController();
  #working = new AbortController();
  #job: Job | undefined;
  #form: FormWatch | undefined;
  #isSubmitHeld = false;
  #expiresAtMs = Number.POSITIVE_INFINITY;

  constructor(page: PageServices) {
    super();
    this.#page = page;
    this.#view.button.addEventListener("click", () => {
      const { name } = this.#state;
      this.#send({ type: "click" });
      // Who is asked waits; who presses unasked most often has the form in front of them.
      if (name === "interactive") this.#hurry();
    });
    this.addEventListener("invalid", (event) => this.#onInvalid(event));
    this.#present();
  }

  /** The token, or an empty string while there is none. */
  get value(): string {
    return this.#state.name === "verified" ? this.#state.token : "";
  }

  /** The name of the present state. */
  get state(): WidgetState["name"] {
    return this.#state.name;
  }

  get form(): HTMLFormElement | null {
    return this.#internals.form;
  }

  /** Drops the token and begins anew, as a reset of the form does: call it after a submission that did not leave the page. */
  reset(): void {
    this.#send({ type: "reset" });
    if (this.getAttribute("execution") === "render" && this.isConnected) this.#send({ type: "start" });
  }

  connectedCallback(): void {
    this.#connectedMs = performance.now();
    this.#watch();
    if (this.getAttribute("execution") === "render") this.#send({ type: "start" });
  }

  disconnectedCallback(): void {
    this.#connection.abort();
    this.#form = undefined;
    this.#isSubmitHeld = false;
    this.#send({ type: "disconnect" });
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (name === "theme") this.#showTheme();
    else if (this.isConnected && before !== now) this.reset();
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
    const onTouch = (): void => {
      if (!this.#view.button.disabled) this.#send({ type: "start" });
    };
    this.#form = watchForm(this.form, signal, onTouch, () => this.#hurry());
    document.addEventListener("visibilitychange", () => this.#checkExpiry(), { signal });
    // Back from the back/forward cache: the token went out with the form that was left then.
    addEventListener("pageshow", (event) => event.persisted && this.reset(), { signal });
  }

  #send(event: WidgetEvent): void {
    const before = this.#state;
    const { state, effect } = transition(before, event);
    if (state === before) return;
    this.#state = state;
    if (state.run !== before.run || !isWorking(state)) this.#endRun();
    if ("challenge" in state) {
      this.#siteTheme = state.challenge.theme;
      this.#isInvisible = state.challenge.isInvisible;
      this.#showTheme();
    }
    this.#present();
    if (state.name !== before.name) this.#tell(state);
    if (effect?.type === "await_expiry") this.#awaitExpiry(effect.lifeMs);
    else if (effect !== undefined && this.#state === state && !this.#isMisled(state.run)) {
      this.#job ??= this.#startJob(state.run);
      void perform(this.#job, effect);
    }
  }

  /** Whoever can write markup into a page must not choose whose code it runs: another service's name stops the widget. */
  #isMisled(run: number): boolean {
    const { base } = this.#page;
    if (withoutSlash(this.getAttribute("endpoint") ?? base) === base) return false;
    const error = widgetError("endpoint_not_allowed", base);
    console.error("stile:", en.errors[error.name](base));
    this.#send({ type: "failed", run, error });
    return true;
  }

  #startJob(run: number): Job {
    const { signal } = this.#working;
    this.#observedAtMs ??= performance.now() + OBSERVED_FOR_MS;
    const waitMs = this.#observedAtMs - performance.now();
    const { base } = this.#page;
    return {
      run,
      siteKey: this.getAttribute("sitekey"),
      action: this.getAttribute("action"),
      cdata: this.getAttribute("cdata"),
      client: createServiceClient(base, signal, pageSurroundings),
      collector: loadCollector(base),
      frame: openSolverFrame(base, this.#root, signal),
      loadFallback: () => loadFallback(base),
      behaviour: (solveMs) => this.#page.recorder.snapshot(this.#connectedMs, solveMs, this),
      observed: new Promise((resolve) => {
        this.#hurry = resolve;
        setTimeout(() => this.#page.recorder.noticed.then(resolve), waitMs);
      }),
      signal,
      send: (event) => this.#send(event),
    };
  }

  #endRun(): void {
    this.#working.abort();
    this.#working = new AbortController();
    this.#job = undefined;
  }

  #present(): void {
    const { value } = this;
    const fields = new FormData();
    fields.set(this.getAttribute("response-field-name") || DEFAULT_FIELD_NAME, value);
    this.#internals.setFormValue(value === "" ? null : fields);
    if (value === "") {
      const message = announcementOf(this.#state, en) || en.verify;
      this.#internals.setValidity({ valueMissing: true }, message, this.#view.button);
    } else this.#internals.setValidity({});
    this.#view.show(this.#state, en);
    // A site in mode `invisible` shows its widget only when the visitor is needed; before the challenge the attribute says so.
    const isUnseen = this.#isInvisible || this.getAttribute("size") === "invisible";
    this.#view.setVisible(!isUnseen || needsVisitor(this.#state));
  }

  #tell(state: WidgetState): void {
    const fire = (name: string, detail: object): void => {
      this.dispatchEvent(new CustomEvent(`stile:${name}`, { bubbles: true, composed: true, detail }));
    };
    fire("statechange", { state: state.name });
    // A listener may have moved the widget on; then this state's own event has lost its meaning.
    if (this.#state !== state) return;
    if (state.name === "verified") fire(state.name, { token: state.token });
    if (state.name === "error") fire(state.name, state.error);
    if (state.name === "expired" || state.name === "interactive") fire(state.name, {});
    this.#carryOnSubmit(state);
  }

  #carryOnSubmit(state: WidgetState): void {
    if (!this.#isSubmitHeld) return;
    // Brings it into view, too: nothing else tells who pressed below the fold why nothing happens.
    if (needsVisitor(state)) this.#view.button.focus();
    if (isWorking(state)) return;
    this.#isSubmitHeld = false;
    if (state.name === "verified") this.#form?.submitAgain();
  }

  #onInvalid(event: Event): void {
    if (this.#form?.isHeldUpOnlyBy(this) === true) {
      this.#isSubmitHeld = true;
      event.preventDefault();
    }
    this.#send({ type: "start" });
    this.#hurry();
    this.#carryOnSubmit(this.#state);
  }

  #showTheme(): void {
    const wanted = this.getAttribute("theme");
    this.#view.setTheme(THEMES.find((theme) => theme === wanted) ?? this.#siteTheme);
  }

  #awaitExpiry(lifeMs: number): void {
    const usableMs = lifeMs - Math.min(EXPIRY_MARGIN_MS, lifeMs / 2);
    this.#expiresAtMs = Date.now() + usableMs;
    const timer = setTimeout(() => this.#checkExpiry(), usableMs + 1);
    this.#working.signal.addEventListener("abort", () => clearTimeout(timer));
  }

  /** Also asked when the page comes into view: timers stand still while a machine sleeps. */
  #checkExpiry(): void {
    if (this.#state.name !== "verified" || Date.now() < this.#expiresAtMs) return;
    this.#send({ type: "expire", run: this.#state.run });
    const lastInputMs = this.#page.recorder.lastInputMs() ?? Number.NEGATIVE_INFINITY;
    const isInUse = performance.now() - lastInputMs < RENEW_WHEN_USED_WITHIN_MS;
    if (this.isConnected && document.visibilityState === "visible" && isInUse) this.#send({ type: "start" });
  }
}
