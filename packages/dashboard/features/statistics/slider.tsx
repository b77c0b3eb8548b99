import { useId } from "preact/hooks";
import { formatScore } from "../../ui/format.ts";

type SliderProps = {
  readonly label: string;
  readonly value: number;
  readonly onValue: (value: number) => void;
};

/** A score to choose, in hundredths from 0.01 to 1. */
export function Slider(props: SliderProps) {
  const id = useId();
  return (
    <div class="slider">
      <label for={id}>
        {props.label} <span>{formatScore(props.value)}</span>
      </label>
      <input
        id={id}
        type="range"
        min={0.01}
        max={1}
        step={0.01}
        value={props.value}
        aria-valuetext={formatScore(props.value)}
        onInput={(event) => props.onValue(event.currentTarget.valueAsNumber)}
      />
    </div>
  );
}
