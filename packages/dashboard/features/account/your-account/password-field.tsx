import { useState } from "preact/hooks";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { SIGN_IN } from "../text.ts";

type PasswordFieldProps = {
  readonly label?: string;
  /** The field's name in the service's answers. */
  readonly name?: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  /** Lets password managers know whether to fill in a password or to generate one. */
  readonly autocomplete: "current-password" | "new-password";
  readonly help?: string;
};

/** A password with a button that shows what was typed. */
export function PasswordField(props: PasswordFieldProps) {
  const { label = SIGN_IN.password, name = "password", value, onValue, autocomplete, help } = props;
  const [isShown, setShown] = useState(false);
  return (
    <div class="password-field">
      <TextField
        label={label}
        name={name}
        type={isShown ? "text" : "password"}
        value={value}
        onValue={onValue}
        autocomplete={autocomplete}
        spellcheck={false}
        required
        {...(help !== undefined && { help })}
      />
      <Button
        kind="quiet"
        class="small"
        aria-pressed={isShown}
        aria-label={`${isShown ? SIGN_IN.hidePassword : SIGN_IN.showPassword}: ${label}`}
        onClick={() => setShown(!isShown)}
      >
        {isShown ? SIGN_IN.hidePassword : SIGN_IN.showPassword}
      </Button>
    </div>
  );
}
