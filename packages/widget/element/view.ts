import { type DescribeError, say, type Texts, type Translation } from "../languages/texts.ts";
import { isOfPage, mayPass } from "../machine/widget-fault.ts";
import { isWorking, type WidgetState, type WidgetStateName } from "../machine/widget-state.ts";
import { STYLES } from "../themes/styles.ts";
import { createPicture, MARK, SIGNS } from "./svg.ts";

/** The visible part: one native button, a logo, and a live region. */
export type WidgetView = {
  readonly button: HTMLButtonElement;
  /** Shows a state. If the run waits for a sign of the visitor, they see that a press is expected. */
  readonly show: (
    state: WidgetState,
    texts: Texts,
    describeError: DescribeError,
    isSignAwaited: boolean,
  ) => void;
  /** Shows a text below the button, and has it read out, until something else is shown. */
  readonly say: (text: string) => void;
  /**
   * Gives the shadow tree its styles; again after a move into another document, which takes them
   * away.
   */
  readonly dress: () => void;
  /** Everything visible; its `data-theme` is the theme. */
  readonly box: HTMLElement;
};

/** Languages of the widget that are written from right to left. */
const RIGHT_TO_LEFT: ReadonlySet<string> = new Set(["ar", "fa", "he"]);

type Sign = "ask" | "busy" | "done" | "wrong";
type Look = readonly [sign: Sign, label: keyof Translation];

const ASKING: Look = ["ask", "verify"];
const BUSY: Look = ["busy", "checking"];
/** Left sign and label of every state that needs them; the label is the name of a text. */
const LOOKS: { readonly [Name in WidgetStateName]?: Look } = {
  idle: ASKING,
  interactive: ASKING,
  verified: ["done", "verified"],
  expired: ["ask", "expired"],
  error: ["wrong", "retry"],
};

/**
 * How much of the ring is open before anything is found, of 69, so that visitors see the ring turn.
 */
const ARC_START = 59;
/** How much stays open once everything is found: visitors would not see a full ring turn. */
const ARC_END = 10;

/**
 * The announcement for a state other than an error: that a press is needed, or that all is done.
 */
function announcementOf(name: WidgetStateName, texts: Texts): string {
  if (name === "interactive") return say(texts, "press", say(texts, "verify"));
  return name === "verified" ? say(texts, name) : "";
}

/** How much of the ring is still open, of 69. */
function openArc(state: WidgetState): number {
  if (state.name === "verifying") return ARC_END;
  if (state.name !== "solving") return ARC_START;
  return ARC_START - (ARC_START - ARC_END) * (state.found / state.challenge.k);
}

/**
 * The progress of the work, once the visitor has pressed and waits for it; the ring shows it to
 * everybody else.
 */
function progressOf(state: WidgetState): string {
  if (state.name !== "solving" || !state.isClicked) return "";
  return ` ${Math.round((100 * state.found) / state.challenge.k)}%`;
}

/** The element, with the name as its class for the style sheet, and as its `::part()` for pages. */
function called<Made extends Element>(name: string, made: Made): Made {
  made.classList.add(name);
  made.part.add(name);
  return made;
}

const element = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  name: string,
): HTMLElementTagNameMap[K] => called(name, document.createElement(tag));

type Announcement = {
  readonly name: WidgetStateName;
  readonly texts: Texts;
  readonly describeError: DescribeError;
};

function announce(
  status: HTMLElement,
  state: WidgetState,
  { name, texts, describeError }: Announcement,
): void {
  // For screen readers only: while a press is needed, the button itself shows this to everybody
  // else.
  status.classList.toggle("unseen", state.name !== "error");
  // Work is shown but not read aloud. An announcement stays true or is repeated; the same text is
  // announced once.
  if (isWorking(state) && name !== "interactive") return;
  const text =
    state.name === "error"
      ? describeError(status, texts, state.error)
      : announcementOf(name, texts);
  if (text !== undefined && status.textContent !== text) status.textContent = text;
}

/** Builds the view inside a fresh shadow root. */
export function createView(root: ShadowRoot): WidgetView {
  const dress = (): void => {
    // A document takes only sheets of its own window.
    const { CSSStyleSheet: Sheet } = root.ownerDocument.defaultView ?? globalThis;
    const sheet = new Sheet();
    sheet.replaceSync(STYLES);
    root.adoptedStyleSheets = [sheet];
  };
  dress();

  const box = element("div", "box");
  const button = element("button", "button");
  button.type = "button";
  const signs = called("sign", createPicture(28, SIGNS));
  const arc = signs.querySelector(".arc");
  const label = element("span", "label");
  label.dir = "auto";
  button.append(signs, label);
  const brand = element("span", "brand");
  brand.setAttribute("aria-hidden", "true");
  brand.append(createPicture(24, MARK), "Stile");
  const status = element("div", "status");
  status.setAttribute("role", "status");
  status.dir = "auto";
  // Contact that the page's author offers to visitors who can't continue; not needed while the
  // check continues automatically.
  const contact = element("slot", "contact");
  contact.name = "contact";
  box.append(button, brand, status, contact);
  root.append(box);

  return {
    button,
    box,
    dress,
    say: (text) => {
      box.hidden = false;
      status.classList.remove("unseen");
      status.textContent = text;
    },
    show: (state, shownTexts, describeError, isSignAwaited) => {
      const name = isSignAwaited ? "interactive" : state.name;
      // Another try may not help, so the heading does not suggest one.
      const isStuck = state.name === "error" && !mayPass(state.error);
      const [sign, text] = LOOKS[name] ?? BUSY;
      box.dataset.sign = sign;
      box.lang = shownTexts.language;
      box.dir = (root.host as HTMLElement).dir || (RIGHT_TO_LEFT.has(box.lang) ? "rtl" : "ltr");
      label.textContent = say(shownTexts, isStuck ? "unverified" : text) + progressOf(state);
      button.setAttribute(
        "aria-disabled",
        `${(isStuck && isOfPage(state.error)) || sign === "busy" || sign === "done"}`,
      );
      arc?.setAttribute("stroke-dashoffset", `${openArc(state)}`);
      announce(status, state, { name, texts: shownTexts, describeError });
      contact.hidden = !isStuck;
    },
  };
}
