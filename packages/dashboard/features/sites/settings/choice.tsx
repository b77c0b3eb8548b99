import { useId } from "preact/hooks";

type ChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: string }[];
};

/** One of a few options in a row, as native radio buttons: arrow keys move between them. */
export function Choice({ label, value, onValue, options }: ChoiceProps) {
  const name = useId();
  return (
    <fieldset class="bare choice-row">
      <legend class="unseen">{label}</legend>
      <div class="segments">
        {options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              checked={option.value === value}
              onChange={() => onValue(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
