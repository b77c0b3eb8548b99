import { useEffect, useRef } from "preact/hooks";
import { TextField } from "../../../ui/field.tsx";
import { SIGN_IN } from "../text.ts";

type CodeFieldProps = {
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Whether a recovery code is accepted too. */
  readonly takesRecovery?: boolean;
  readonly isFocused?: boolean;
};

/**
 * The six digits of an authenticator app, or a recovery code; takes the focus when it appears, if
 * `isFocused`.
 */
export function CodeField(props: CodeFieldProps) {
  const { takesRecovery = false, isFocused = true } = props;

  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isFocused) box.current?.querySelector("input")?.focus();
  }, []);
  return (
    <div ref={box}>
      <TextField
        label={SIGN_IN.code}
        name="code"
        value={props.value}
        onValue={props.onValue}
        help={takesRecovery ? SIGN_IN.codeOrRecoveryHelp : SIGN_IN.codeHelp}
        autocomplete="one-time-code"
        inputMode={takesRecovery ? "text" : "numeric"}
        maxLength={takesRecovery ? 40 : 8}
        autocapitalize="none"
        spellcheck={false}
        required
      />
    </div>
  );
}
