import { isWorking, needsVisitor } from "../machine/widget-state.ts";
import type { Controller } from "./controller.ts";
import {
  type FormSubmission,
  isInSight,
  needsPress,
  submitAgain,
  type WatchedWidget,
  watchForm,
} from "./form-watch.ts";

/** A submission or a script: each gets the same token only once. */
export type Taker = "form" | "script";

/** The parts of its widget's controller that the binding of a form needs. */
export type BoundController = Omit<
  Controller,
  "shownState" | "isSignAwaited" | "send" | "connect" | "disconnect" | "reset"
>;

/** Options of a form binding. */
export type FormBindingOptions = {
  readonly controller: BoundController;
  readonly button: Pick<HTMLButtonElement, "disabled" | "focus">;
  /** The current token, or an empty string. */
  readonly token: () => string;
  /** Whether the form needs no token. */
  readonly mayGoWithout: () => boolean;
  /** Asks the visitor for another press of the button with that label. */
  readonly askAgain: (label: string) => void;
};

/**
 * Binds a widget to the form around it: holds submissions back while there is no token, and records
 * which tokens were used.
 */
export type FormBinding = {
  /**
   * Watches the widget's form, or without one the page, until `signal` aborts, and gives it the
   * value of `field`. If the form or a script was waiting for a token, it continues to wait, except
   * for a submission of a form that the widget is no longer in.
   */
  readonly watch: (widget: WatchedWidget, signal: AbortSignal, field: () => string) => void;
  /**
   * Returns the token to a submission or to a script, to each only once. Returns an empty string if
   * there is no token that this taker has not had yet; then the widget earns one as fast as
   * possible, and leads the visitor to itself if it needs them.
   */
  readonly take: (taker: Taker) => string;
  /**
   * If the form or a script waits for a token, leads the visitor to the widget, or repeats the held
   * submission once the widget has a token or has stopped.
   */
  readonly resume: () => void;
  /** Whether a held submission is being repeated. */
  readonly isResubmitting: () => boolean;
  /** The token sent with the last submission, or an empty string. */
  readonly sent: () => string;
  /** The form was reset: forgets that a token was sent with it. */
  readonly forgetSent: () => void;
};

/** A binding without a form yet. */
export function createFormBinding(options: FormBindingOptions): FormBinding {
  const { controller, button, token } = options;
  /**
   * The tokens last returned to a submission and to a script. Reading the form's field does not
   * count.
   */
  const sent: Partial<Record<Taker, string>> = {};
  let isAwaited = false;
  let form: HTMLFormElement | null;
  let held: FormSubmission | undefined;
  let isResubmitting = false;

  /**
   * Begins to earn a token if there is none, or only one that was used already: a form that is not
   * used again costs no work.
   */
  const want = (): void => {
    if (token() && Object.values(sent).includes(token())) controller.discard();
    controller.start();
  };
  const resume = (): void => {
    if (!isAwaited) return;
    const now = controller.state();
    const mayGo = options.mayGoWithout();
    // This also scrolls it into view: a visitor who pressed a button below the fold would otherwise
    // not see why nothing happens.
    if (needsVisitor(now) && !mayGo) button.focus();
    if (isWorking(now)) return;
    isAwaited = false;
    const submission = held;
    held = undefined;
    // A listener may already have sent the form, and the visitor no longer means to send a form
    // that is out of sight.
    const isDue = mayGo || (now.name === "verified" && sent.form !== now.token);
    if (!form || !submission || !isDue || !isInSight(form)) return;
    const label = needsPress(form, submission);
    if (label) {
      options.askAgain(label);
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
    const current = token();
    if (current && sent[taker] !== current) {
      sent[taker] = current;
      return current;
    }
    want();
    isAwaited = true;
    controller.prioritize();
    resume();
    return "";
  };
  return {
    take,
    resume,
    watch: (widget, signal, field) => {
      if (form !== widget.form) held = undefined;
      form = widget.form;
      if (isAwaited) controller.prioritize();
      watchForm(widget, signal, {
        field,
        onTouch: () => {
          controller.wake();
          if (!button.disabled && controller.mayBegin()) want();
        },
        onAim: controller.aim,
        onClose: () => {
          held = undefined;
        },
        maySubmit: (submission) => {
          held = submission;
          const maySubmit = button.disabled || options.mayGoWithout() || take("form") !== "";
          if (maySubmit) held = undefined;
          return maySubmit;
        },
      });
    },
    isResubmitting: () => isResubmitting,
    sent: () => sent.form || "",
    forgetSent: () => {
      sent.form = "";
    },
  };
}
