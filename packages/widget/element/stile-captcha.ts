import { warnOwner } from "../languages/tell-owner.ts";
import { say } from "../languages/texts.ts";
import { loadSurface } from "../load-surface.ts";
import { isOut, type WidgetState } from "../machine/widget-state.ts";
import type { ServiceChallenge } from "../service/service-challenge.ts";
import { chooseTheme, isOfRun, isUnseen, OBSERVED } from "./attributes.ts";
import { warnOfBareForms } from "./bare-forms.ts";
import { PENDING, UNAVAILABLE } from "./carry.ts";
import { type Course, createCourse } from "./course.ts";
import { createHolding, type Holding } from "./holding.ts";
import type { PageServices } from "./page-services.ts";
import { readAttribute } from "./read-attribute.ts";
import { tellState } from "./tell-state.ts";
import { createView, type View } from "./view.ts";
import { createVoice, type Voice } from "./voice.ts";

type SiteTerms = Partial<
  Pick<ServiceChallenge, "theme" | "language" | "isInvisible" | "keepsForm">
>;

/**
 * `<stile-captcha>`: its course decides what it does, its view what it looks like, its voice what
 * it says.
 */
export class StileCaptcha extends HTMLElement {
  static readonly formAssociated = true;
  static readonly observedAttributes = OBSERVED;

  readonly #page: PageServices;
  readonly #internals = this.attachInternals();
  readonly #view: View = createView(this.attachShadow({ mode: "open", delegatesFocus: true }));
  readonly #voice: Voice;
  readonly #course: Course;
  readonly #holding: Holding;
  /** What the last challenge said about the site. */
  #site: SiteTerms = {};
  #connection?: AbortController;

  constructor(page: PageServices) {
    super();
    this.#page = page;
    const present = (): void => this.#present();
    this.#voice = createVoice(page.base, present);
    this.#course = createCourse(this, page, (after, before) => this.#step(after, before), present);
    const { send, hurry } = this.#course;
    const { button } = this.#view;
    this.#holding = createHolding(
      this.#course,
      button,
      () => this.#token,
      () => this.#mayGoWithout,
      (label) => this.#view.say(say(this.#voice.texts(), "press", label)),
    );
    button.addEventListener("click", () => {
      // A visitor who is asked to press is waiting; one who presses unasked usually still has the
      // form to fill in.
      if (this.state === "interactive") hurry();
      send({ type: "click" });
    });
  }

  /**
   * The token, or an empty string while there is none. A token sent with a submission stays until
   * there is a new one: the page's handler may read it late.
   */
  get value(): string {
    return this.#token || this.#holding.sent();
  }

  /** The name of the current state. */
  get state(): WidgetState["name"] {
    return this.#course.state().name;
  }

  /**
   * In a table the parser leaves a form empty, and does not connect it to an element that is
   * defined later.
   */
  get form(): HTMLFormElement | null {
    // Buttons that were there at parsing are still connected to it; each row may have its own form.
    const button = this.closest("tr")?.querySelector<HTMLButtonElement>("button,[type=submit]");
    return (
      this.#internals.form ??
      button?.form ??
      this.closest("table")?.querySelector("form:empty") ??
      null
    );
  }

  /** React sets an attribute as a property if the element has one of that name. */
  set form(id: string | null | undefined) {
    if (id) this.setAttribute("form", id);
    else this.removeAttribute("form");
  }

  get #token(): string {
    const shown = this.#course.toShow();
    return shown.name === "verified" ? shown.token : "";
  }

  /** The value of the form's field; empty if the form carries none. */
  get #field(): string {
    if (this.#view.button.disabled || readAttribute(this, "response-field") === "false") return "";
    return this.value || (this.#mayGoWithout ? UNAVAILABLE : PENDING);
  }

  /**
   * Whether the form needs no token: the service is out of reach, and neither page nor site keeps
   * the form for that (D15).
   */
  get #mayGoWithout(): boolean {
    const wanted = readAttribute(this, "on-unavailable");
    return (
      isOut(this.#course.state()) && (wanted === null ? !this.#site.keepsForm : wanted !== "block")
    );
  }

  /**
   * Hands out the token to a submission or to a script, to each only once. Returns an empty string
   * if there is no token that this taker has not had yet; then one is earned as fast as possible,
   * and the visitor is led to the widget if it needs them.
   */
  take(taker: "form" | "script"): string {
    return this.#holding.take(taker);
  }

  /**
   * Whether the `submit` event being handled repeats one that was held: listeners before the
   * widget's see both.
   */
  get isResubmitting(): boolean {
    return this.#holding.isResubmitting();
  }

  /** Drops the token and begins anew, as resetting the form does. */
  reset(): void {
    this.#holding.forget();
    this.#course.giveUp();
  }

  connectedCallback(): void {
    this.#course.connect();
    this.#watch();
    this.#present();
    this.#speak();
  }

  disconnectedCallback(): void {
    this.#connection?.abort();
    this.#course.uproot();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now) return;
    if (isOfRun(name)) this.reset();
    this.#present();
    this.#speak();
  }

  adoptedCallback(): void {
    this.#view.dress();
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
    this.#connection?.abort();
    this.#connection = new AbortController();
    const { wake } = this.#course;
    const { signal } = this.#connection;
    const options = { signal };
    this.#holding.watch(this, signal, () => {
      // Submissions wait for the token, so that this is a script.
      if (this.#field === PENDING)
        warnOwner(
          this.#page.base,
          "token_pending",
          "A script read the form before it had a token. Use stile.execute().",
        );
      return this.#field;
    });
    if (!this.form) warnOfBareForms(this.#page.base, signal);
    addEventListener("online", wake, options);
    addEventListener("visibilitychange", wake, options);
    // Back from the back/forward cache: the token was sent with the form when the page was left.
    addEventListener("pageshow", (event) => event.persisted && this.reset(), options);
  }

  /** Shows and reports the state that the course has reached. */
  #step(state: WidgetState, before: WidgetState): void {
    const isPresent = (): boolean => this.#course.state() === state;
    if ("challenge" in state) this.#site = state.challenge;
    this.#present();
    if (state.name !== before.name) {
      this.#speak();
      tellState(this, state, isPresent);
      if (isPresent()) this.#holding.carryOn();
    }
    if (state.name === "error") void this.#voice.learn(state.error);
  }

  /** Also tries again what could not be loaded before. */
  #speak(): void {
    if (/callback|strings/.test(`${this.getAttributeNames()}`))
      void loadSurface(this.#page.base).then((all) => {
        if (!all) return;
        all.listen(this.#page, this, this.#course.state());
        this.#voice.replace((shown) =>
          all.withStrings(shown, readAttribute(this, "strings"), this.#page.base),
        );
      });
    void this.#voice.wish([
      readAttribute(this, "language"),
      this.#site.language,
      this.closest("[lang]")?.getAttribute("lang"),
      // In a shadow tree the page's own language is not around.
      document.documentElement.lang,
      ...navigator.languages,
    ]);
  }

  #present(): void {
    const shown = this.#course.toShow();
    const site = this.#site;
    const { box } = this.#view;
    box.dataset.theme = chooseTheme([readAttribute(this, "theme"), site.theme]);
    const { texts, tell } = this.#voice;
    box.hidden = isUnseen(this, shown, site.isInvisible);
    this.#view.show(shown, texts(), tell);
  }
}
