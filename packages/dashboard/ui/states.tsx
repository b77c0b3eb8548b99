import type { DashboardError } from "@stile/protocol/dashboard-api";
import type { ComponentChildren } from "preact";
import { Button } from "./button.tsx";
import { Notice } from "./notice.tsx";
import { TEXT } from "./text.ts";

/** Shown while data are loading; appears after a moment, so that quick answers do not flicker. */
export function Loading({ label = TEXT.loading }: { readonly label?: string }) {
  return (
    <p class="loading" role="status">
      <span class="spinner" aria-hidden="true" />
      {label}…
    </p>
  );
}

type FailedProps = { readonly error: DashboardError | undefined; readonly onRetry?: () => void };

/** The error, the id to quote to support, and a way to try again. */
export function Failed({ error, onRetry }: FailedProps) {
  return (
    <Notice kind="error" title={TEXT.somethingFailed}>
      <p>{error?.message}</p>
      {error !== undefined && error.request_id !== "" && (
        <p class="quiet">
          Request ID: <code>{error.request_id}</code>
        </p>
      )}
      {onRetry !== undefined && <Button onClick={onRetry}>{TEXT.retry}</Button>}
    </Notice>
  );
}

type EmptyProps = {
  readonly title: string;
  readonly action?: ComponentChildren;
  readonly children?: ComponentChildren;
};

/** Shown if there is nothing yet: why, and what to do first. */
export function Empty(props: EmptyProps) {
  return (
    <div class="empty">
      <p class="empty-title">{props.title}</p>
      {props.children}
      {props.action}
    </div>
  );
}
