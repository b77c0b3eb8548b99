import type { MemberData, NewLinkData } from "@stile/protocol/dashboard-api";
import { useState } from "preact/hooks";
import { send } from "../../../api.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { CheckField } from "../../../ui/field.tsx";
import { MEMBERS } from "../text.ts";
import { makeOwnProof, OwnProofField } from "../your-account/own-proof.tsx";

type ResetDialogProps = {
  readonly member: MemberData;
  readonly onClose: () => void;
  readonly onLink: (link: NewLinkData) => void;
};

/**
 * Makes a reset link. Here the maker chooses, with their password, whether it removes the member's
 * second factors.
 */
export function ResetDialog(props: ResetDialogProps) {
  const [isRemoving, setRemoving] = useState(false);
  const [password, setPassword] = useState("");
  const hasFactor = props.member.hasTotp || props.member.passkeyCount > 0;
  const make = async () => {
    const proof = isRemoving ? await makeOwnProof(password) : undefined;
    if (proof?.success === false) return proof;
    const body = { removeSecondFactors: isRemoving, ...proof?.data };
    const answer = await send<NewLinkData>(
      "POST",
      `members/${encodeURIComponent(props.member.userId)}/reset`,
      body,
    );
    if (!answer.success) return answer;
    props.onClose();
    props.onLink(answer.data);
    return undefined;
  };
  return (
    <ConfirmDialog
      title={`${MEMBERS.resetTitle} ${props.member.name}`}
      confirmLabel={MEMBERS.resetMake}
      isDanger={isRemoving}
      onConfirm={make}
      onClose={props.onClose}
    >
      <p>{MEMBERS.resetBody}</p>
      {hasFactor && (
        <CheckField
          label={MEMBERS.resetRemove}
          name="removeSecondFactors"
          checked={isRemoving}
          onValue={setRemoving}
          help={isRemoving ? MEMBERS.resetRemoveHelp : MEMBERS.resetKeepHelp}
        />
      )}
      {isRemoving && <OwnProofField value={password} onValue={setPassword} />}
    </ConfirmDialog>
  );
}
