import { useState } from "preact/hooks";
import { Button, type ButtonKind } from "./button.tsx";
import { announce } from "./notice.tsx";
import { TEXT } from "./text.ts";

type CopyButtonProps = {
  readonly value: string;
  readonly label: string;
  readonly kind?: ButtonKind;
};

/** Copies `value`; `label` names it for screen readers. */
export function CopyButton(props: CopyButtonProps) {
  const { kind = "secondary" } = props;

  const [isCopied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(props.value);
      setCopied(true);
      announce(`${props.label}: ${TEXT.copied.toLowerCase()}.`);
    } catch {
      // Without https or permission the clipboard is not available.
      announce(TEXT.copyFailed);
    }
  };
  return (
    <Button
      kind={kind}
      class="small"
      aria-label={`${TEXT.copy}: ${props.label}`}
      onClick={copy}
      onBlur={() => setCopied(false)}
    >
      {isCopied ? TEXT.copied : TEXT.copy}
    </Button>
  );
}

/** A whole key or id, with a button that copies it. */
export function CopyText({ value, label }: { readonly value: string; readonly label: string }) {
  return (
    <span class="copy-text">
      <code>{value}</code>
      <CopyButton value={value} label={label} />
    </span>
  );
}
