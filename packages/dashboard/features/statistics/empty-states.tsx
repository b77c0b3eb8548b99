import { Button, LinkButton } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";

/** Instead of figures, where there are none: why, and what to do about it. */
export function NobodyCame({ siteKey }: { readonly siteKey: string }) {
  return (
    <Empty
      title="No visits in this time"
      action={
        <LinkButton href={`/dashboard/sites/${siteKey}/install`}>Install the widget</LinkButton>
      }
    >
      <p class="quiet">If the widget is in your page, choose a longer time.</p>
    </Empty>
  );
}

type NoDecisionsProps = {
  readonly isFiltered: boolean;
  readonly siteKey: string;
  readonly onClear: () => void;
};

/** Why the list is empty, and what to do about it. */
export function NoDecisions(props: NoDecisionsProps) {
  return props.isFiltered ? (
    <Empty title="No decision matches" action={<Button onClick={props.onClear}>Show all</Button>}>
      <p>A request id is matched in full. Decisions older than 30 days are gone.</p>
    </Empty>
  ) : (
    <Empty
      title="Nobody was judged yet"
      action={
        <LinkButton kind="primary" href={`/dashboard/sites/${props.siteKey}/install`}>
          Install the widget
        </LinkButton>
      }
    >
      <p>
        As soon as somebody solves a challenge on your site, the decision appears here
        automatically.
      </p>
    </Empty>
  );
}
