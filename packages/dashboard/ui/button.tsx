import type { ButtonHTMLAttributes, ComponentChildren } from "preact";

/** How much a button matters; a page has at most one primary action. */
export type ButtonKind = "primary" | "secondary" | "danger" | "quiet";

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, "class" | "className"> & {
  readonly kind?: ButtonKind;
  /** While true, the button shows that it is working and ignores clicks, but keeps the focus. */
  readonly isBusy?: boolean;
  readonly class?: string;
  readonly children?: ComponentChildren;
};

/** A native button; of type "button" by default. */
export function Button(props: ButtonProps) {
  const { kind = "secondary", isBusy = false, class: extra, onClick, children, ...rest } = props;

  return (
    <button
      type="button"
      {...rest}
      class={`button ${kind}${extra === undefined ? "" : ` ${extra}`}`}
      aria-disabled={isBusy || rest["aria-disabled"]}
      aria-busy={isBusy || undefined}
      onClick={isBusy ? (event) => event.preventDefault() : onClick}
    >
      {children}
    </button>
  );
}

type LinkButtonProps = {
  readonly href: string;
  readonly kind?: ButtonKind;
  readonly children?: ComponentChildren;
};

/** A link that looks like a button: it goes somewhere and does nothing else. */
export function LinkButton(props: LinkButtonProps) {
  const { kind = "secondary" } = props;

  return (
    <a href={props.href} class={`button ${kind}`}>
      {props.children}
    </a>
  );
}
