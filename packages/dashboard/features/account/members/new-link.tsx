import type { NewLinkData } from "@stile/protocol/dashboard-api";
import { Button } from "../../../ui/button.tsx";
import { CopyText } from "../../../ui/copy-text.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Countdown } from "../../../ui/time.tsx";
import { MEMBERS } from "../text.ts";

/** A link to hand over, shown only this once. */
export function NewLink({
  link,
  onDone,
}: {
  readonly link: NewLinkData;
  readonly onDone: () => void;
}) {
  return (
    <>
      <p>{MEMBERS.linkOnce}</p>
      <CopyText value={link.url} label={MEMBERS.linkLabel} />
      {/* Nobody signs in over http from another machine. */}
      {link.url.startsWith("http:") && <Notice kind="warning">{MEMBERS.linkHere}</Notice>}
      <p class="quiet">
        {MEMBERS.validFor} <Countdown untilMs={link.expiresAtMs} />
      </p>
      <div class="actions">
        <Button kind="primary" onClick={onDone}>
          {MEMBERS.linkDone}
        </Button>
      </div>
    </>
  );
}
