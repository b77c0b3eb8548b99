import type { DashboardAnswer, MemberData, NewLinkData } from "@stile/protocol/dashboard-api";
import { ROLES, type Role } from "@stile/protocol/roles";
import { useState } from "preact/hooks";
import { send } from "../../../api.ts";
import { ConfirmDialog } from "../../../ui/dialog.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { announce } from "../../../ui/notice.tsx";
import { loadMe, me } from "../../../ui/session.ts";
import { MEMBERS, ROLE_NAMES } from "../text.ts";
import { ResetDialog } from "./reset-dialog.tsx";

/** The pending action on a member. */
export type MemberAction = {
  readonly kind: "role" | "reset" | "sessions" | "remove";
  readonly member: MemberData;
};

type MemberDialogProps = {
  readonly action: MemberAction;
  /** Roles that the viewer may give. */
  readonly roles: readonly Role[];
  readonly onClose: () => void;
  readonly onChange: () => void;
  readonly onLink: (link: NewLinkData) => void;
};

/**
 * Asks before a member's role changes, a reset link is made, sessions end, or a member is removed.
 */
export function MemberDialog(props: MemberDialogProps) {
  const { kind, member } = props.action;
  const [role, setRole] = useState<string>(member.role);
  const path = `members/${encodeURIComponent(member.userId)}`;
  const finish = async (answer: DashboardAnswer<unknown>, done: string) => {
    if (!answer.success) return answer;
    props.onChange();
    props.onClose();
    announce(done);
    // A member who changed their own role has other permissions from now on.
    await loadMe();
    return undefined;
  };
  if (kind === "role") {
    const options = props.roles.map((value) => ({
      value,
      label: ROLE_NAMES[value],
      help: ROLES[value],
    }));
    return (
      <ConfirmDialog
        title={`${MEMBERS.changeRole}: ${member.name}`}
        confirmLabel={MEMBERS.changeRole}
        onConfirm={async () => finish(await send("PATCH", path, { role }), MEMBERS.roleChanged)}
        onClose={props.onClose}
      >
        <SelectField
          label={MEMBERS.role}
          name="role"
          value={role}
          onValue={setRole}
          options={options}
        />
      </ConfirmDialog>
    );
  }
  if (kind === "reset")
    return <ResetDialog member={member} onClose={props.onClose} onLink={props.onLink} />;
  if (kind === "sessions") {
    const end = async () => {
      const answer = await send<{ ended: number }>("DELETE", `${path}/sessions`);
      return finish(
        answer,
        answer.success && answer.data.ended > 0 ? MEMBERS.sessionsEnded : MEMBERS.noSessions,
      );
    };
    return (
      <ConfirmDialog
        title={`${MEMBERS.endSessions}: ${member.name}`}
        confirmLabel={MEMBERS.endSessions}
        onConfirm={end}
        onClose={props.onClose}
      >
        <p>
          {member.userId === me.value?.user.userId
            ? MEMBERS.endOwnSessionsBody
            : MEMBERS.endSessionsBody}
        </p>
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      title={`${MEMBERS.removeTitle} ${member.name}`}
      confirmLabel={MEMBERS.remove}
      isDanger
      typed={member.email}
      onConfirm={async () => finish(await send("DELETE", path), MEMBERS.removed)}
      onClose={props.onClose}
    >
      <p>{MEMBERS.removeBody}</p>
    </ConfirmDialog>
  );
}
