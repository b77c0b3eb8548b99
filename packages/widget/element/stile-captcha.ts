import { warnOwner } from "../languages/report-to-owner.ts";
import { say } from "../languages/texts.ts";
import { loadSurface } from "../load-surface.ts";
import { isOut, type WidgetState } from "../machine/widget-state.ts";
import type { ServiceChallenge } from "../service/service-challenge.ts";
import { chooseTheme, isOfRun, isUnseen, needsSurface, OBSERVED } from "./attributes.ts";
import { warnOfBareForms } from "./bare-forms.ts";
import { type Controller, createController } from "./controller.ts";
import { createFormBinding, type FormBinding } from "./form-binding.ts";
import { PENDING, UNAVAILABLE } from "./form-field.ts";
import { createMessages, type Messages } from "./messages.ts";
import type { PageServices } from "./page-services.ts";
import { readAttribute } from "./read-attribute.ts";
import { fireStateEvents } from "./state-events.ts";
import { createView, type WidgetView } from "./view.ts";

type SiteTerms = Partial<
  Pick<ServiceChallenge, "theme" | "language" | "isInvisible" | "keepsForm">
>;

/**
 * `<stile-captcha>`: its controller decides its actions, its view its looks, its messages its
 * texts, and its form binding when the form may be sent.
 */
export class StileCaptcha extends HTMLElement {
  static readonly formAssociated = true;
  static readonly observedAttributes = OBSERVED;

  readonly #page: PageServices;
  readonly #internals = this.attachInternals();
  readonly #view: WidgetView = createView(
    this.attachShadow({ mode: "open", delegatesFocus: true }),
  );
  readonly #messages: Messages;
  readonly #controller: Controller;
  readonly #formBinding: FormBinding;
  /** The site's terms in the last challenge. */
  #site: SiteTerms = {};
  #connection?: AbortController;

  constructor(page: PageServices) {
    super();
    this.#page = page;
    const present = (): void => this.#present();
    this.#messages = createMessages(page.base, present);
    this.#controller = createController(
      this,
      page,
      (after, before) => this.#step(after, before),
      present,
    );
    const { send, prioritize } = this.#controller;
    const { button } = this.#view;
    this.#formBinding = createFormBinding({
      controller: this.#controller,
      button,
      token: () => this.#token,
      mayGoWithout: () => this.#mayGoWithout,
      askAgain: (label) => this.#view.say(say(this.#messages.texts(), "press", label)),
    });
    button.addEventListener("click", () => {
      // A visitor who is asked to press is waiting; one who presses unasked usually still has the
      // form to fill in.
      if (this.state === "interactive") prioritize();
      send({ type: "click" });
    });
  }

  /**
   * The token, or an empty string while there is none. A token sent with a submission stays until
   * there is a new one: the page's handler may read it late.
   */
  get value(): string {
    return this.#token || this.#formBinding.sent();
  }

  /** The name of the current state. */
  get state(): WidgetState["name"] {
    return this.#controller.state().name;
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
    const shown = this.#controller.shownState();
    return shown.name === "verified" ? shown.token : "";
  }

  /** The value of the form's field; empty if the form carries none. */
  get #field(): string {
    if (this.#view.button.disabled || readAttribute(this, "response-field") === "false") return "";
    return this.value || (this.#mayGoWithout ? UNAVAILABLE : PENDING);
  }

  /**
   * Whether the form needs no token: the service is unreachable, and neither page nor site holds
   * the form back for that (D15, outage).
   */
  get #mayGoWithout(): boolean {
    const wanted = readAttribute(this, "on-unavailable");
    return (
      isOut(this.#controller.state()) &&
      (wanted === null ? !this.#site.keepsForm : wanted !== "block")
    );
  }

  /**
   * Returns the token to a submission or to a script, to each only once. Returns an empty string if
   * there is no token that this taker has not had yet; then the widget earns one as fast as
   * possible, and leads the visitor to itself if it needs them.
   */
  take(taker: "form" | "script"): string {
    if (taker === "script" && this.state === "error") this.#restart();
    return this.#formBinding.take(taker);
  }

  /**
   * Whether the `submit` event being handled repeats one that was held: listeners before the
   * widget's see both.
   */
  get isResubmitting(): boolean {
    return this.#formBinding.isResubmitting();
  }

  /**
   * Drops the token and starts again, as resetting the form does; right after an error the widget
   * first waits as it would without the reset.
   */
  reset(): void {
    this.#formBinding.forgetSent();
    this.#controller.reset();
  }

  #restart(): void {
    this.#formBinding.forgetSent();
    this.#controller.discard();
  }

  connectedCallback(): void {
    this.#controller.connect();
    this.#watch();
    this.#present();
    this.#updateMessages();
  }

  disconnectedCallback(): void {
    this.#connection?.abort();
    this.#controller.disconnect();
  }

  attributeChangedCallback(name: string, before: string | null, now: string | null): void {
    if (!this.isConnected || before === now) return;
    if (isOfRun(name)) this.#restart();
    this.#present();
    this.#updateMessages();
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
    const { wake } = this.#controller;
    const { signal } = this.#connection;
    const options = { signal };
    this.#formBinding.watch(this, signal, () => {
      // Submissions wait for the token, so the caller is a script.
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

  /** Shows and reports the state that the controller has reached. */
  #step(state: WidgetState, before: WidgetState): void {
    const isCurrent = (): boolean => this.#controller.state() === state;
    if ("challenge" in state) this.#site = state.challenge;
    this.#present();
    if (state.name !== before.name) {
      this.#updateMessages();
      fireStateEvents(this, state, isCurrent);
      if (isCurrent()) this.#formBinding.resume();
    }
    if (state.name === "error") void this.#messages.loadErrorTexts(state.error);
  }

  /** Also tries again to load texts that could not be loaded before. */
  #updateMessages(): void {
    if (this.getAttributeNames().some(needsSurface))
      void loadSurface(this.#page.base).then((all) => {
        if (!all) return;
        all.listen(this.#page, this, this.#controller.state());
        this.#messages.customize((shown) =>
          all.withStrings(shown, readAttribute(this, "strings"), this.#page.base),
        );
      });
    void this.#messages.setLanguage([
      readAttribute(this, "language"),
      this.#site.language,
      this.closest("[lang]")?.getAttribute("lang"),
      // In a shadow tree the page's own language is not inherited.
      document.documentElement.lang,
      ...navigator.languages,
    ]);
  }

  #present(): void {
    const shown = this.#controller.shownState();
    const site = this.#site;
    const { box } = this.#view;
    box.dataset.theme = chooseTheme([readAttribute(this, "theme"), site.theme]);
    const { texts, describeError } = this.#messages;
    box.hidden = isUnseen(this, shown, site.isInvisible);
    this.#view.show(shown, texts(), describeError, this.#controller.isSignAwaited());
  }
}
