import { signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { TEXT } from "./text.ts";

/**
 * The kind of a notice. A word before the text names it too, since colour must not be the only
 * sign.
 */
export type NoticeKind = "info" | "success" | "warning" | "error";

const KIND_WORDS: Readonly<Record<NoticeKind, string>> = {
  info: "Note",
  success: "Done",
  warning: "Warning",
  error: "Error",
};

type NoticeProps = {
  readonly kind: NoticeKind;
  readonly title?: string;
  readonly children?: ComponentChildren;
};

/** A message in the page. Errors are read aloud at once, others when the reader reaches them. */
export function Notice(props: NoticeProps) {
  return (
    <div class={`notice ${props.kind}`} role={props.kind === "error" ? "alert" : undefined}>
      <p class="notice-title">
        <span class={props.title === undefined ? undefined : "unseen"}>
          {KIND_WORDS[props.kind]}:{" "}
        </span>
        {props.title}
      </p>
      <div class="notice-body">{props.children}</div>
    </div>
  );
}

type Toast = {
  readonly id: number;
  readonly text: string;
  readonly undo?: (() => unknown) | undefined;
};

const toasts = signal<readonly Toast[]>([]);
let lastId = 0;

/**
 * Shows a message, which is also read aloud politely. With `undo` a button offers to undo the
 * action.
 */
export function announce(
  text: string,
  options: { readonly undo?: (() => unknown) | undefined } = {},
): void {
  lastId += 1;
  // More than three would hide each other; the oldest are dropped.
  toasts.value = [...toasts.value, { id: lastId, text, undo: options.undo }].slice(-3);
}

function dismiss(id: number): void {
  toasts.value = toasts.value.filter((toast) => toast.id !== id);
}

/** The page's one live region, drawn once by the frame. */
export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map((toast) => (
        <ToastItem key={toast.id} toast={toast} />
      ))}
    </div>
  );
}

/** Disappears after a while; stays as long as the pointer or the focus is on it. */
function ToastItem({ toast }: { readonly toast: Toast }) {
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld) return undefined;
    const timer = setTimeout(() => dismiss(toast.id), toast.undo === undefined ? 6_000 : 20_000);
    return () => clearTimeout(timer);
  }, [isHeld, toast]);
  const { undo } = toast;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: resting on it only keeps it; nothing can be done here alone.
    <div
      class="toast"
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span>{toast.text}</span>
      {undo !== undefined && (
        <Button
          onClick={() => {
            dismiss(toast.id);
            void undo();
          }}
        >
          {TEXT.undo}
        </Button>
      )}
      <Button kind="quiet" aria-label={TEXT.dismiss} onClick={() => dismiss(toast.id)}>
        ×
      </Button>
    </div>
  );
}
