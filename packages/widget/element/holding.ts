import { isWorking, needsVisitor } from "../machine/widget-state.ts";
import type { Course } from "./course.ts";
import {
  isInSight,
  needsPress,
  type Submission,
  submitAgain,
  type WatchedWidget,
  watchForm,
} from "./form-watch.ts";

/** Who a token is handed to: each gets the same token only once. */
export type Taker = "form" | "script";

/** What holding a form needs of its widget's course. */
export type HeldCourse = Omit<Course, "toShow" | "send" | "connect" | "uproot">;

/**
 * The form around a widget, held while it has no token to send, and a record of which tokens were
 * handed out.
 */
export type Holding = {
  /**
   * Watches the widget's form, or without one the page, until `signal` aborts, and gives it the
   * value of `field`. Whoever was waiting goes on waiting, except a submission of a form that the
   * widget is no longer in.
   */
  readonly watch: (widget: WatchedWidget, signal: AbortSignal, field: () => string) => void;
  /**
   * Hands out the token to a submission or to a script, to each only once. Returns an empty string
   * if there is no token that this taker has not had yet; then one is earned as fast as possible,
   * and the visitor is led to the widget if it needs them.
   */
  readonly take: (taker: Taker) => string;
  /**
   * Leads the visitor to a widget that somebody waits for, and lets a held form go once that is
   * over; nobody waits for a widget at rest.
   */
  readonly carryOn: () => void;
  /** Whether a held submission is being repeated. */
  readonly isResubmitting: () => boolean;
  /** The token sent with the last submission, or an empty string. */
  readonly sent: () => string;
  /** The form was reset: forgets that a token was sent with it. */
  readonly forget: () => void;
};

/**
 * Holds nothing yet. `token` returns the current token or an empty string, `mayGoWithout` whether
 * the form needs none. `askAgain` asks the visitor for another press of the button with that label.
 */
export function createHolding(
  { state, mayBegin, start, giveUp, wake, hurry, aim }: HeldCourse,
  button: Pick<HTMLButtonElement, "disabled" | "focus">,
  token: () => string,
  mayGoWithout: () => boolean,
  askAgain: (label: string) => void,
): Holding {
  /**
   * The tokens last handed out: to a submission or to a script. Reading the form hands out none.
   */
  const sent: Partial<Record<Taker, string>> = {};
  let isAwaited = false;
  let form: HTMLFormElement | null;
  let held: Submission | undefined;
  let isResubmitting = false;

  /**
   * Begins to earn a token if there is none, or only one handed out already: no work for a form
   * that is not used again.
   */
  const want = (): void => {
    if (token() && Object.values(sent).includes(token())) giveUp();
    start();
  };
  const carryOn = (): void => {
    if (!isAwaited) return;
    const now = state();
    const mayGo = mayGoWithout();
    // This also scrolls it into view: nothing else tells those who pressed a button below the fold
    // why nothing happens.
    if (needsVisitor(now) && !mayGo) button.focus();
    if (isWorking(now)) return;
    isAwaited = false;
    const submission = held;
    held = undefined;
    // A listener may already have sent the form, and a form out of sight is no longer what the
    // visitor meant to send.
    const isDue = mayGo || (now.name === "verified" && sent.form !== now.token);
    if (!form || !submission || !isDue || !isInSight(form)) return;
    const label = needsPress(form, submission);
    if (label) {
      askAgain(label);
      return;
    }
    isResubmitting = true;
    try {
      submitAgain(form, submission);
    } finally {
      isResubmitting = false;
    }
  };
  const take = (taker: Taker): string => {
    const there = token();
    if (there && sent[taker] !== there) {
      sent[taker] = there;
      return there;
    }
    want();
    isAwaited = true;
    hurry();
    carryOn();
    return "";
  };
  return {
    take,
    carryOn,
    watch: (widget, signal, field) => {
      if (form !== widget.form) held = undefined;
      form = widget.form;
      if (isAwaited) hurry();
      watchForm(
        widget,
        signal,
        field,
        () => {
          wake();
          if (!button.disabled && mayBegin()) want();
        },
        aim,
        () => {
          held = undefined;
        },
        (submission) => {
          held = submission;
          const maySubmit = button.disabled || mayGoWithout() || take("form") !== "";
          if (maySubmit) held = undefined;
          return maySubmit;
        },
      );
    },
    isResubmitting: () => isResubmitting,
    sent: () => sent.form || "",
    forget: () => {
      sent.form = "";
    },
  };
}
