import { useId } from "preact/hooks";

type SettingChoiceProps = {
  readonly label: string;
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly options: readonly { readonly value: string; readonly label: string }[];
};

/** One of a few options in a row, as native radio buttons: arrow keys move between them. */
export function Choice(props: SettingChoiceProps) {
  const name = useId();
  return (
    <fieldset class="bare choice-row">
      <legend class="unseen">{props.label}</legend>
      <div class="segments">
        {props.options.map((option) => (
          <label key={option.value}>
            <input
              type="radio"
              name={name}
              checked={option.value === props.value}
              onChange={() => props.onValue(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
