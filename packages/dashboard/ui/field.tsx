import type { ComponentChildren, PartialInputHTMLAttributes, Ref } from "preact";
import { useId, useState } from "preact/hooks";
import { useProblems } from "./form.tsx";

type FieldProps = {
  readonly label: string;
  /** The field's name in the service's answers, which assigns problems to it. */
  readonly name: string;
  readonly help?: ComponentChildren;
  readonly problem?: string | undefined;
};

type Wiring = {
  readonly id: string;
  readonly "aria-describedby": string | undefined;
  readonly "aria-invalid": boolean;
};

type FrameProps = FieldProps & { readonly children: (wiring: Wiring) => ComponentChildren };

/** Label, help and problem around a control, connected to it for screen readers. */
function FieldFrame(props: FrameProps) {
  const id = useId();
  const problems = useProblems();
  const found = props.problem ?? problems.get(props.name);
  const described = [
    props.help !== undefined && `${id}-help`,
    found !== undefined && `${id}-problem`,
  ].filter(Boolean);
  return (
    <div class="field">
      <label for={id}>{props.label}</label>
      {props.children({
        id,
        "aria-describedby": described.join(" ") || undefined,
        "aria-invalid": found !== undefined,
      })}
      {props.help !== undefined && (
        <div class="help" id={`${id}-help`}>
          {props.help}
        </div>
      )}
      {found !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {found}
        </p>
      )}
    </div>
  );
}

type InputProps = Pick<
  PartialInputHTMLAttributes<HTMLInputElement>,
  | "autocapitalize"
  | "autocomplete"
  | "autofocus"
  | "disabled"
  | "inputMode"
  | "max"
  | "maxLength"
  | "min"
  | "minLength"
  | "pattern"
  | "placeholder"
  | "readOnly"
  | "required"
  | "size"
  | "spellcheck"
>;
type TextFieldProps = FieldProps &
  InputProps & {
    readonly value: string;
    readonly onValue: (value: string) => void;
    readonly ref?: Ref<HTMLInputElement>;
    readonly type?: "text" | "email" | "password" | "search" | "url" | "datetime-local";
  };

/** One line of text; `type`, `autocomplete`, `required` and so on go to the native input. */
export function TextField(props: TextFieldProps) {
  const { label, name, value, onValue, help, problem, type = "text", ...rest } = props;

  return (
    <FieldFrame label={label} name={name} help={help} problem={problem}>
      {(wiring) => (
        <input
          {...rest}
          {...wiring}
          // The DOM types give each type its own attributes; those passed here fit all of them.
          type={type as "text"}
          name={name}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}

type TextAreaFieldProps = FieldProps & {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly rows?: number;
  readonly required?: boolean;
};

/** Several lines of text. */
export function TextAreaField(props: TextAreaFieldProps) {
  const { label, name, value, onValue, help, problem, ...rest } = props;

  return (
    <FieldFrame label={label} name={name} help={help} problem={problem}>
      {(wiring) => (
        <textarea
          rows={4}
          {...rest}
          {...wiring}
          name={name}
          value={value}
          onInput={(event) => onValue(event.currentTarget.value)}
        />
      )}
    </FieldFrame>
  );
}

/** One of the values to choose from. */
export type FieldOption = {
  readonly value: string;
  readonly label: string;
  readonly help?: string;
};

type ChoiceFieldProps = FieldProps & {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly options: readonly FieldOption[];
  readonly disabled?: boolean;
};

/** A native select; shows the chosen option's own help if it has one. */
export function SelectField(props: ChoiceFieldProps) {
  const chosenHelp = props.options.find((option) => option.value === props.value)?.help;
  return (
    <FieldFrame
      label={props.label}
      name={props.name}
      help={props.help ?? chosenHelp}
      problem={props.problem}
    >
      {(wiring) => (
        <select
          {...wiring}
          name={props.name}
          value={props.value}
          disabled={props.disabled}
          onChange={(event) => props.onValue(event.currentTarget.value)}
        >
          {props.options.map((option) => (
            <option key={option.value} value={option.value} selected={option.value === props.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  );
}

/** A few values, all visible, each with its help. */
export function RadioField(props: ChoiceFieldProps) {
  const id = useId();
  const problems = useProblems();
  const found = props.problem ?? problems.get(props.name);
  const described = [
    props.help !== undefined && `${id}-help`,
    found !== undefined && `${id}-problem`,
  ].filter(Boolean);
  return (
    <fieldset
      class="field"
      disabled={props.disabled}
      aria-describedby={described.join(" ") || undefined}
    >
      <legend>{props.label}</legend>
      {props.help !== undefined && (
        <div class="help" id={`${id}-help`}>
          {props.help}
        </div>
      )}
      {props.options.map((option) => (
        <label key={option.value} class="choice">
          <input
            type="radio"
            name={props.name}
            value={option.value}
            checked={option.value === props.value}
            aria-invalid={found !== undefined}
            onChange={() => props.onValue(option.value)}
          />
          <span>
            {option.label}
            {option.help !== undefined && <span class="help">{option.help}</span>}
          </span>
        </label>
      ))}
      {found !== undefined && (
        <p class="problem" id={`${id}-problem`}>
          {found}
        </p>
      )}
    </fieldset>
  );
}

type CheckFieldProps = FieldProps & {
  readonly checked: boolean;
  readonly onValue: (isChecked: boolean) => void;
  readonly disabled?: boolean;
};

/** Yes or no. */
export function CheckField(props: CheckFieldProps) {
  const problems = useProblems();
  const found = props.problem ?? problems.get(props.name);
  return (
    <div class="field">
      <label class="choice">
        <input
          type="checkbox"
          name={props.name}
          checked={props.checked}
          disabled={props.disabled}
          aria-invalid={found !== undefined}
          onChange={(event) => props.onValue(event.currentTarget.checked)}
        />
        <span>
          {props.label}
          {props.help !== undefined && <span class="help">{props.help}</span>}
          {found !== undefined && <span class="problem">{found}</span>}
        </span>
      </label>
    </div>
  );
}

type NumberFieldProps = FieldProps & {
  /** Null stands for an empty field. */
  readonly value: number | null;
  readonly onValue: (value: number | null) => void;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number;
  /** The unit, after the number. */
  readonly suffix?: string;
  readonly required?: boolean;
  readonly placeholder?: string;
};

/**
 * A number with its unit; empty and incomplete input is null. The text is left alone until the
 * field loses the focus: "0." is not a number yet, and writing one back would swallow the point.
 */
export function NumberField(props: NumberFieldProps) {
  const { label, name, value, onValue, help, problem, suffix, ...rest } = props;

  const [typed, setTyped] = useState<string>();
  const text = suffix === undefined ? label : `${label} (${suffix})`;
  return (
    <FieldFrame label={text} name={name} help={help} problem={problem}>
      {(wiring) => (
        <input
          type="number"
          inputMode="decimal"
          {...rest}
          {...wiring}
          name={name}
          value={typed ?? value ?? ""}
          onInput={(event) => {
            setTyped(event.currentTarget.value);
            const number = event.currentTarget.valueAsNumber;
            onValue(Number.isNaN(number) ? null : number);
          }}
          onBlur={() => setTyped(undefined)}
        />
      )}
    </FieldFrame>
  );
}
