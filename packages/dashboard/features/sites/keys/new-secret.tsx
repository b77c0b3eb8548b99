import type { SiteWithSecretData } from "@stile/protocol/dashboard-api";
import { useEffect, useRef, useState } from "preact/hooks";
import { useLocation } from "preact-iso";
import { Button } from "../../../ui/button.tsx";
import { CopyText } from "../../../ui/copy-text.tsx";
import { CheckField } from "../../../ui/field.tsx";
import { Panel } from "../../../ui/page.tsx";
import { useLeaveGuard } from "../settings/leave-guard.ts";
import { NEW_SECRET, SITE } from "../text.ts";

type NewSecretProps = {
  readonly fresh: SiteWithSecretData;
  /** Leaves the panel; without it, the next step is the install page. */
  readonly onDone?: () => void;
};

/**
 * The keys of a site, the secret one shown only this once; asks before the page is left without
 * storing it (D13, formats).
 */
export function NewSecret({ fresh, onDone }: NewSecretProps) {
  const { route } = useLocation();
  const [isStored, setStored] = useState(false);
  const { siteKey, name } = fresh.site;
  const box = useRef<HTMLDivElement>(null);
  // It appears away from the button that caused it, so it takes the focus.
  useEffect(() => box.current?.focus(), []);
  useLeaveGuard(isStored ? undefined : NEW_SECRET.leave);
  return (
    <div ref={box} tabIndex={-1} class="new-secret">
      <Panel title={`${NEW_SECRET.title}: ${name}`} intro={NEW_SECRET.once}>
        <dl class="keys">
          <dt>{SITE.siteKey}</dt>
          <dd>
            <CopyText value={siteKey} label={SITE.siteKey} />
          </dd>
          <dt>{SITE.secretKey}</dt>
          <dd>
            <CopyText value={fresh.secretKey} label={SITE.secretKey} />
          </dd>
        </dl>
        <CheckField
          label={NEW_SECRET.stored}
          name="stored"
          checked={isStored}
          onValue={setStored}
        />
        <div class="actions">
          <Button
            kind="primary"
            disabled={!isStored}
            onClick={onDone ?? (() => route(`/dashboard/sites/${siteKey}/install`))}
          >
            {onDone === undefined ? NEW_SECRET.next : NEW_SECRET.done}
          </Button>
        </div>
      </Panel>
    </div>
  );
}
