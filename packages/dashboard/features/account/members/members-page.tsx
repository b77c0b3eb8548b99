import type {
  InvitationData,
  MemberData,
  MembersData,
  NewLinkData,
} from "@stile/protocol/dashboard-api";
import { mayActAs, ROLES, ROLES_IN_ORDER, type Role } from "@stile/protocol/roles";
import { useState } from "preact/hooks";
import { send } from "../../../api.ts";
import { Button } from "../../../ui/button.tsx";
import { DataTable } from "../../../ui/data-table.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { SelectField } from "../../../ui/field.tsx";
import { Form } from "../../../ui/form.tsx";
import { announce } from "../../../ui/notice.tsx";
import { Page, Panel } from "../../../ui/page.tsx";
import { may, me } from "../../../ui/session.ts";
import { Empty, Failed, Loading } from "../../../ui/states.tsx";
import { Countdown, Time } from "../../../ui/time.tsx";
import { useData } from "../../../ui/use-data.ts";
import { MEMBERS, ROLE_NAMES } from "../text.ts";
import { AccountNamePanel } from "./account-name-panel.tsx";
import { DemandPanel } from "./demand-panel.tsx";
import { type MemberAction, MemberDialog } from "./member-dialog.tsx";
import { NewLink } from "./new-link.tsx";

/** /dashboard/members: the members, their roles, and open invitations. */
export function MembersPage() {
  const members = useData<MembersData>(may("admin") ? "members" : undefined);
  const [action, setAction] = useState<MemberAction>();
  const [link, setLink] = useState<NewLinkData>();
  if (!may("admin"))
    return <Page title={MEMBERS.title} intro={MEMBERS.adminsOnly} width="narrow" />;
  return (
    <Page title={MEMBERS.title} intro={MEMBERS.intro}>
      {members.state === "loading" && <Loading />}
      {members.state === "failed" && <Failed error={members.error} onRetry={members.reload} />}
      {members.data !== undefined && (
        <>
          <MemberTable members={members.data.members} onAction={setAction} />
          <Invitations
            invitations={members.data.invitations}
            onChange={members.reload}
            onLink={setLink}
          />
          <DemandPanel onChange={members.reload} />
          <AccountNamePanel />
        </>
      )}
      {action !== undefined && (
        <MemberDialog
          action={action}
          roles={rolesToGive()}
          onClose={() => setAction(undefined)}
          onLink={setLink}
          onChange={members.reload}
        />
      )}
      <Dialog
        title={MEMBERS.linkLabel}
        isOpen={link !== undefined}
        onClose={() => setLink(undefined)}
      >
        {link !== undefined && <NewLink link={link} onDone={() => setLink(undefined)} />}
      </Dialog>
    </Page>
  );
}

/**
 * Whether the viewer may manage members with that role; only an owner may manage the two most
 * powerful ones.
 */
function mayManage(role: Role): boolean {
  return may("owner") || !mayActAs(role, "admin");
}

function rolesToGive(): readonly Role[] {
  return ROLES_IN_ORDER.filter(mayManage);
}

type MemberTableProps = {
  readonly members: readonly MemberData[];
  readonly onAction: (action: MemberAction) => void;
};

/** The members, and the actions that the viewer may take on each of them. */
export function MemberTable({ members, onAction }: MemberTableProps) {
  const owners = members.filter(({ role }) => role === "owner").length;
  const whyNot = (member: MemberData): string | undefined => {
    if (!mayManage(member.role)) return MEMBERS.ownersOnly;
    return member.role === "owner" && owners === 1 ? MEMBERS.lastOwner : undefined;
  };
  return (
    <DataTable
      caption={MEMBERS.caption}
      rows={members}
      rowKey={({ userId }) => userId}
      columns={[
        {
          key: "name",
          label: MEMBERS.name,
          render: ({ name, email, userId }) => (
            <div>
              {name} {userId === me.value?.user.userId && <span class="tag">{MEMBERS.you}</span>}
              <span class="row-note">{email}</span>
            </div>
          ),
        },
        {
          key: "role",
          label: MEMBERS.role,
          render: ({ role }) => <span title={ROLES[role]}>{ROLE_NAMES[role]}</span>,
        },
        { key: "factor", label: MEMBERS.secondFactor, render: secondFactorOf },
        {
          key: "signIn",
          label: MEMBERS.lastSignIn,
          render: ({ lastSignInAtMs }) =>
            lastSignInAtMs === null ? MEMBERS.never : <Time ms={lastSignInAtMs} />,
        },
        {
          key: "actions",
          label: MEMBERS.actions,
          render: (member) => (
            <MemberActions member={member} whyNot={whyNot(member)} onAction={onAction} />
          ),
        },
      ]}
    />
  );
}

function secondFactorOf({ hasTotp, passkeyCount }: MemberData): string {
  const passkeys = passkeyCount === 1 ? "1 passkey" : `${passkeyCount} passkeys`;
  return (
    [hasTotp && MEMBERS.app, passkeyCount > 0 && passkeys].filter(Boolean).join(", ") ||
    MEMBERS.none
  );
}

type MemberActionsProps = {
  readonly member: MemberData;
  readonly whyNot: string | undefined;
  readonly onAction: (action: MemberAction) => void;
};

function MemberActions(props: MemberActionsProps) {
  const isManaged = mayManage(props.member.role);
  // Members change their own password on the account page, with the current one.
  const isOwn = props.member.userId === me.value?.user.userId;
  const button = (kind: MemberAction["kind"], label: string) => (
    <Button
      class="small"
      aria-label={`${label}: ${props.member.name}`}
      onClick={() => props.onAction({ kind, member: props.member })}
    >
      {label}
    </Button>
  );
  return (
    <div class="row-actions">
      {props.whyNot === undefined && button("role", MEMBERS.changeRole)}
      {isManaged && !isOwn && button("reset", MEMBERS.reset)}
      {isManaged && button("sessions", MEMBERS.endSessions)}
      {props.whyNot === undefined && button("remove", MEMBERS.remove)}
      {props.whyNot !== undefined && <span class="row-note">{props.whyNot}</span>}
    </div>
  );
}

type InvitationsProps = {
  readonly invitations: readonly InvitationData[];
  readonly onChange: () => void;
  readonly onLink: (link: NewLinkData) => void;
};

/** Open invitations, and a form that makes one. */
export function Invitations(props: InvitationsProps) {
  const takeBack = async (linkId: string) => {
    const answer = await send("DELETE", `invitations/${encodeURIComponent(linkId)}`);
    announce(answer.success ? MEMBERS.takenBack : answer.error.message);
    props.onChange();
  };
  return (
    <Panel title={MEMBERS.invitations}>
      {props.invitations.length === 0 ? (
        <Empty title={MEMBERS.noInvitations} />
      ) : (
        <DataTable
          caption={MEMBERS.invitations}
          rows={props.invitations}
          rowKey={({ linkId }) => linkId}
          columns={[
            { key: "role", label: MEMBERS.role, render: ({ role }) => ROLE_NAMES[role] },
            {
              key: "madeBy",
              label: MEMBERS.madeBy,
              render: ({ madeBy }) => madeBy ?? MEMBERS.operator,
            },
            {
              key: "expires",
              label: MEMBERS.validFor,
              render: ({ expiresAtMs }) => <Countdown untilMs={expiresAtMs} />,
            },
            {
              key: "takeBack",
              label: MEMBERS.actions,
              align: "end",
              render: ({ linkId, role }) =>
                mayManage(role) ? (
                  <Button
                    class="small"
                    aria-label={`${MEMBERS.takeBack}: ${ROLE_NAMES[role]}`}
                    onClick={() => takeBack(linkId)}
                  >
                    {MEMBERS.takeBack}
                  </Button>
                ) : (
                  <span class="row-note">{MEMBERS.ownersOnly}</span>
                ),
            },
          ]}
        />
      )}
      <Invite onChange={props.onChange} onLink={props.onLink} />
    </Panel>
  );
}

function Invite({ onChange, onLink }: Pick<InvitationsProps, "onChange" | "onLink">) {
  const [role, setRole] = useState<string>("developer");
  const submit = async () => {
    const answer = await send<NewLinkData>("POST", "members", { role });
    if (!answer.success) return answer;
    onLink(answer.data);
    onChange();
    return undefined;
  };
  const options = rolesToGive().map((value) => ({
    value,
    label: ROLE_NAMES[value],
    help: ROLES[value],
  }));
  return (
    <Form onSubmit={submit} label={MEMBERS.invite}>
      {(isBusy) => (
        <>
          <div>
            <h3>{MEMBERS.invite}</h3>
            <p class="quiet">{MEMBERS.inviteIntro}</p>
          </div>
          <SelectField
            label={MEMBERS.role}
            name="role"
            value={role}
            onValue={setRole}
            options={options}
          />
          <div class="actions">
            <Button type="submit" isBusy={isBusy}>
              {MEMBERS.inviteMake}
            </Button>
          </div>
        </>
      )}
    </Form>
  );
}
