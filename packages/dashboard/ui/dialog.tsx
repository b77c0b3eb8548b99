import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { TextField } from "./field.tsx";
import { Form, type SubmitOutcome } from "./form.tsx";
import { TEXT } from "./text.ts";

type DialogProps = {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
};

/** The open dialogs; only the last one is shown. The others keep their content until it closes. */
const open: HTMLDialogElement[] = [];

function show(dialog: HTMLDialogElement): void {
  open.at(-1)?.close();
  open.push(dialog);
  dialog.showModal();
}

function hide(dialog: HTMLDialogElement): void {
  const wasShown = open.at(-1) === dialog;
  open.splice(open.indexOf(dialog), 1);
  dialog.close();
  if (wasShown) open.at(-1)?.showModal();
}

/**
 * A native modal dialog: Escape closes it, and the focus returns. Its content exists only while it
 * is open.
 */
export function Dialog(props: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    const element = dialog.current;
    if (element === null || !props.isOpen) return undefined;
    show(element);
    // Closed before it is removed from the page; otherwise the browser would not return the focus.
    return () => hide(element);
  }, [props.isOpen]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault();
        props.onClose();
      }}
    >
      {props.isOpen && (
        <>
          <header class="dialog-head">
            <h2 id={id}>{props.title}</h2>
            <Button kind="quiet" aria-label={TEXT.close} onClick={props.onClose}>
              ×
            </Button>
          </header>
          {props.children}
        </>
      )}
    </dialog>
  );
}

type ConfirmDialogProps = {
  readonly title: string;
  readonly confirmLabel: string;
  readonly isDanger?: boolean;
  /** Text to type first, such as the site's name. */
  readonly typed?: string;
  /** True by default: most dialogs are drawn only while they are needed. */
  readonly isOpen?: boolean;
  /**
   * Performs the action; closing afterwards is up to the caller. A refusal in its answer is shown
   * in the dialog.
   */
  readonly onConfirm: () => SubmitOutcome;
  readonly onClose: () => void;
  readonly children?: ComponentChildren;
};

/** Asks once more before an action that is hard to undo. */
export function ConfirmDialog(props: ConfirmDialogProps) {
  const {
    title,
    confirmLabel,
    isDanger = false,
    typed,
    isOpen = true,
    onConfirm,
    onClose,
    children,
  } = props;
  const [text, setText] = useState("");
  const isMissing = typed !== undefined && text.trim() !== typed;
  return (
    <Dialog title={title} isOpen={isOpen} onClose={onClose}>
      <Form onSubmit={async () => (isMissing ? undefined : onConfirm())}>
        {(isBusy) => (
          <>
            {children}
            {typed !== undefined && (
              <TextField
                label={`Type “${typed}” to confirm`}
                name="typed"
                value={text}
                onValue={setText}
                autocomplete="off"
                spellcheck={false}
              />
            )}
            <div class="actions">
              <Button onClick={onClose}>{TEXT.cancel}</Button>
              <Button
                kind={isDanger ? "danger" : "primary"}
                type="submit"
                isBusy={isBusy}
                disabled={isMissing}
              >
                {confirmLabel}
              </Button>
            </div>
          </>
        )}
      </Form>
    </Dialog>
  );
}
