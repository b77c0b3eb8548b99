import { Button, LinkButton } from "../../ui/button.tsx";
import { Empty } from "../../ui/states.tsx";

/** Instead of figures, where there are none: why, and what to do about it. */
export function NoVisits({ siteKey }: { readonly siteKey: string }) {
  return (
    <Empty
      title="No visits in this period"
      action={
        <LinkButton href={`/dashboard/sites/${siteKey}/install`}>Install the widget</LinkButton>
      }
    >
      <p class="quiet">If the widget is on your page, choose a longer period.</p>
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
    <Empty title="No matching decisions" action={<Button onClick={props.onClear}>Show all</Button>}>
      <p>Enter the complete request ID. Decisions older than 30 days have been deleted.</p>
    </Empty>
  ) : (
    <Empty
      title="No decisions yet"
      action={
        <LinkButton kind="primary" href={`/dashboard/sites/${props.siteKey}/install`}>
          Install the widget
        </LinkButton>
      }
    >
      <p>As soon as someone solves a challenge on your site, the decision appears here.</p>
    </Empty>
  );
}
