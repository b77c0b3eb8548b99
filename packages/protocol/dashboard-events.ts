/** The actions that the audit log records, each with a label; the action's subject follows it. */
export const AUDIT_ACTIONS = {
  site_created: "Created the site",
  site_updated: "Changed the site",
  site_deleted: "Deleted the site",
  site_restored: "Restored the site",
  secret_rotated: "Rotated the secret key of",
  secrets_revoked: "Revoked the replaced secret keys of",
  decision_labelled: "Labelled the decision",
  wave_refused: "Blocked a wave for an hour on",
  wave_released: "Stopped blocking a wave on",
  signed_in: "Signed in",
  signed_out: "Signed out",
  sign_in_failed: "Failed to sign in",
  sign_in_limited: "Tried too often to sign in",
  proof_failed: "Failed to confirm their identity when",
  proof_limited: "Failed too often to confirm their identity when",
  changes_limited: "Made too many changes when",
  role_denied: "Lacked the role for",
  password_changed: "Changed the password of",
  profile_changed: "Changed the profile of",
  totp_enabled: "Turned on the authenticator app of",
  totp_disabled: "Turned off the authenticator app of",
  passkey_added: "Added a passkey to",
  passkey_removed: "Removed a passkey from",
  session_revoked: "Ended a session of",
  member_invited: "Invited a member as",
  invitation_revoked: "Withdrew an invitation as",
  member_joined: "Joined the account as",
  member_role_changed: "Changed the role of",
  member_removed: "Removed the member",
  reset_link_made: "Created a reset link for",
  factor_removal_link_made: "Created a reset link that removes the second factors of",
  recovery_codes_made: "Created new recovery codes for",
  member_sessions_ended: "Ended all sessions of",
  account_changed: "Changed the account",
} as const satisfies Record<string, string>;

/** One of the actions of the audit log. */
export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** One line of the audit log: the actor, the action, and the changes. */
export type AuditData = {
  readonly entryId: number;
  readonly atMs: number;
  /** The actor: a member, or "command line" for the operator, who is no member. */
  readonly actor: string;
  readonly action: AuditAction;
  /** In words: the site, member or thing that the action changed. */
  readonly subject: string;
  readonly changes: readonly {
    readonly field: string;
    readonly before: unknown;
    readonly after: unknown;
  }[];
};

/**
 * Refusals that an operator may want to look into, with a label. Those of an account are in its
 * audit log, too.
 */
export const SECURITY_EVENTS = {
  sign_in_failed: "Wrong password, code or passkey at sign-in",
  sign_in_limited: "Sign-ins refused because there were too many",
  sign_in_unpaid: "Sign-ins without the work that unknown browsers must do",
  sign_in_crowded: "Sign-ins refused because too many passwords were being checked",
  proof_failed: "Signed-in members who failed to confirm their identity",
  proof_limited: "Signed-in members who failed too often to confirm their identity",
  changes_limited: "Changes refused because a session or its member made too many",
  role_denied: "Members who tried something that their role does not allow",
  wrong_secret_key: "Calls with a wrong secret key",
  wrong_secret_limited: "Calls refused because their address sent too many wrong secret keys",
} as const satisfies Record<string, string>;

/** One of the security events. */
export type SecurityEvent = keyof typeof SECURITY_EVENTS;
