import { useEffect, useRef } from "preact/hooks";
import { TextField } from "../../ui/field.tsx";
import { SIGN_IN } from "./text.ts";

type CodeFieldProps = { readonly value: string; readonly onValue: (value: string) => void };

/** The six digits of an authenticator app; takes the focus, since it appears when it is wanted. */
export function CodeField({ value, onValue }: CodeFieldProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector("input")?.focus(), []);
  return (
    <div ref={box}>
      <TextField
        label={SIGN_IN.code}
        name="code"
        value={value}
        onValue={onValue}
        help={SIGN_IN.codeHelp}
        autocomplete="one-time-code"
        inputMode="numeric"
        maxLength={8}
        required
      />
    </div>
  );
}
