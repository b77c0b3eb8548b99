import { MOST_PASSKEYS } from "@stile/protocol/limits";
import type { Role } from "@stile/protocol/roles";

/** Names of the roles. */
export const ROLE_NAMES: Readonly<Record<Role, string>> = {
  viewer: "Viewer",
  developer: "Developer",
  admin: "Admin",
  owner: "Owner",
};

/** Where to run the command that makes a link, and the command itself where there is no npm. */
export const WHERE = "where the service runs, with its settings (in a container: stile reset-link)";

/** Texts of signing in and of opened links. */
export const SIGN_IN = {
  title: "Sign in",
  email: "Email",
  password: "Password",
  showPassword: "Show",
  hidePassword: "Hide",
  code: "Code from your authenticator app",
  codeHelp: "Six digits. They change every 30 seconds.",
  codeOrRecoveryHelp: "Six digits that change every 30 seconds, or one of your recovery codes.",
  submit: "Sign in",
  submitCode: "Confirm the code",
  startOver: "Use another account",
  passkey: "Sign in with a passkey",
  passkeyCalledOff: "No passkey was used. Try again, or sign in with your password.",
  insecureTitle: "This connection is not secure",
  lockedOut: "Locked out?",
  lockedOutOthers: "Ask an admin of the account for a reset link.",
  lockedOutAlone: `If no one else can sign in, run this command ${WHERE}, and open the link that it prints:`,
  resetCommand: "npm run stile -- reset-link",
  noOwner: "This dashboard has no owner yet",
  noOwnerIntro:
    "To become the owner, open the setup link that the service printed when it started. The link works once, for 15 minutes.",
  noOwnerAnother: `To print a new link and invalidate the old one, run this command ${WHERE}:`,
} as const;

/** Texts of the signed-in member's own page. */
export const ACCOUNT = {
  title: "Your account",
  demandedTitle: "Set up a second factor",
  demandedIntro:
    "This account requires a second factor for every member. Add a passkey or set up an authenticator app to continue.",
  profile: "Profile",
  name: "Name",
  saveProfile: "Save profile",
  profileSaved: "Your profile was saved.",
  password: "Password",
  currentPassword: "Your current password",
  passkeyAsked: "You have no password, so you will be asked for a passkey.",
  passkeyUnused: "No passkey was used. Try again.",
  newPassword: "New password",
  changePassword: "Change password",
  passwordChanged: "Your password was changed, and all other sessions were ended.",
  passkeys: "Passkeys",
  passkeysIntro:
    "Sign in with your fingerprint, face, device code or a security key. A passkey can't be phished.",
  passkeyName: "Name of the passkey",
  passkeyNameHelp: "To tell your devices apart, for example “Laptop”.",
  addPasskey: "Add a passkey",
  passkeyAdded: "The passkey was added.",
  passkeyRemoved: "The passkey was removed.",
  passkeyRefused: "No passkey was created. Try again, or choose another device.",
  noPasskeys: "No passkeys yet",
  noPasskeySupport:
    "Passkeys need a recent browser, and either https with a domain name or localhost.",
  passkeysFull: `You have ${MOST_PASSKEYS} passkeys, which is the maximum. Remove one that you no longer use.`,
  removePasskey: "Remove the passkey",
  removePasskeyBody:
    "You will no longer be able to sign in with it. Remove it from your device too.",
  added: "Added",
  lastUsed: "Last used",
  never: "never",
  action: "Action",
  remove: "Remove",
  totp: "Authenticator app",
  totpOn: "When you sign in with your password, you also need a code from your app.",
  totpOff: "With an authenticator app, a stolen password is not enough to sign in.",
  totpStart: "Set up",
  totpScan: "Scan this with your authenticator app, then enter the code it shows.",
  totpQr: "QR code for your authenticator app",
  totpSecret: "Can't scan it? Enter this secret by hand:",
  totpSecretLabel: "Secret of the authenticator app",
  totpConfirm: "Turn on",
  totpEnabled: "The authenticator app is on.",
  totpDisable: "Turn off",
  totpDisableTitle: "Turn off the authenticator app",
  totpDisableBody:
    "You will then need only your password to sign in, unless the account requires a second factor.",
  totpDisabled: "The authenticator app is off.",
  sessions: "Sessions",
  sessionsIntro:
    "Browsers in which you are signed in. If you don't recognise one, end its session and change your password.",
  device: "Device",
  thisDevice: "This device",
  started: "Started",
  lastSeen: "Last seen",
  end: "End",
  endSession: "End session",
  sessionEnded: "The session was ended.",
  endOthers: "End all other sessions",
  othersEnded: "All other sessions were ended.",
} as const;

/** Texts about recovery codes. */
export const RECOVERY = {
  title: "Recovery codes",
  intro: "If you lose your app or passkey, you can sign in once with each of these codes.",
  left: "You have {n} codes left.",
  oneLeft: "You have one code left. Create new ones.",
  noneLeft:
    "You have no codes left. Create new ones, or you will be locked out if you lose your app or passkey.",
  renew: "Create new codes",
  renewConfirm: "Create codes",
  renewBody: "You get ten new codes. The old ones stop working immediately.",
  newTitle: "Your recovery codes",
  newBody:
    "Keep them where you can find them without your phone, such as on paper or in a password manager. They are not shown again.",
  done: "I have saved them",
} as const;

/** Texts about the account's name. */
export const ACCOUNT_NAME = {
  title: "Account name",
  name: "Name",
  help: "Members see it in their account menu, and people who open an invitation see it too.",
  save: "Save name",
  renamed: "The account was renamed.",
} as const;

/** Texts about requiring a second factor. */
export const DEMAND = {
  title: "Second factor for all members",
  on: "Every member needs an authenticator app or a passkey. Members without one can do nothing else until they set one up.",
  off: "Members can sign in with only a password.",
  raise: "Require a second factor",
  raiseBody:
    "Members without an authenticator app are signed out. Members with neither an app nor a passkey must set one up when they next sign in.",
  raised: "Every member now needs a second factor.",
  lower: "Stop requiring it",
  lowerBody: "Members will be able to remove their second factor and sign in with only a password.",
  lowered: "A second factor is no longer required.",
  ownersOnly: "Only an owner can change this.",
  ownFirst: "Set up a second factor for yourself before you require it of others.",
  toAccount: "Go to your account",
} as const;

/** Texts of the members page. */
export const MEMBERS = {
  title: "Members",
  intro: "Who can sign in, and what they can do.",
  caption: "Members of the account",
  you: "You",
  name: "Name",
  role: "Role",
  secondFactor: "Second factor",
  none: "none",
  app: "app",
  lastSignIn: "Last sign-in",
  never: "never",
  actions: "Actions",
  changeRole: "Change role",
  roleChanged: "The role was changed.",
  reset: "Reset link",
  resetTitle: "Reset link for",
  resetBody:
    "Anyone who has this link can choose a new password for the member. Create it only if you have spoken to them.",
  resetRemove: "Also remove their app, passkeys and recovery codes",
  resetKeepHelp: "Unless you tick this, the link asks for one of them.",
  resetRemoveHelp:
    "Anyone who has the link then needs nothing else. Do this only if the member has lost all of them. Confirm with your password.",
  resetMake: "Create link",
  endSessions: "End sessions",
  endSessionsBody: "The member is signed out everywhere immediately, and can sign in again.",
  endOwnSessionsBody: "You will be signed out everywhere except here.",
  sessionsEnded: "The sessions were ended.",
  noSessions: "There were no sessions to end.",
  remove: "Remove",
  removeTitle: "Remove",
  removeBody:
    "The member can no longer sign in, and all their sessions end immediately. Their actions stay in the audit log. Secret keys that they have seen keep working, so rotate those on the Keys page of each site.",
  removed: "The member was removed.",
  ownersOnly: "Only an owner can change owners and admins.",
  lastOwner: "The only owner can't be changed or removed. Make someone else an owner first.",
  invite: "Invite a member",
  inviteIntro:
    "You get a link that you send to the person yourself, over a channel that you trust. It works once, for three days.",
  inviteMake: "Create invitation",
  invitations: "Open invitations",
  madeBy: "Created by",
  operator: "command line",
  noInvitations: "No open invitations",
  validFor: "Expires in",
  takeBack: "Withdraw",
  takenBack: "The invitation was withdrawn.",
  linkOnce: "Copy this link now and send it to the person. It is not shown again.",
  linkLabel: "Link to share",
  linkHere:
    "This link works only on this machine. For other people, set STILE_BASE_URL to an https address and create a link there.",
  linkDone: "Done",
  adminsOnly: "This page is for admins and owners of the account.",
} as const;

/** Texts of the audit log. */
export const AUDIT = {
  title: "Audit log",
  intro: "Who did what, newest first. Entries can't be changed here.",
  caption: "Audit log",
  when: "When",
  who: "Who",
  what: "What",
  changes: "Changes",
  more: "Load older entries",
  empty: "Nothing has happened yet",
  nothing: "nothing",
  fields: {
    name: "Name",
    email: "Email",
    role: "Role",
    domains: "Domains",
    mode: "Mode",
    theme: "Theme",
    language: "Language",
    isEnabled: "Enabled",
    tokenLifeSeconds: "Token lifetime (s)",
    binding: "Binding",
    signedAgents: "Signed bots",
    thresholds: "Thresholds",
    difficultyOffset: "Difficulty",
    verifyPerMinute: "Verification limit",
    scorePerMinute: "Score request limit",
    scoreSignals: "Signals with score requests",
    onUnavailable: "During an outage",
    noScript: "Without JavaScript",
    contact: "Contact",
    label: "Label",
    passkey: "Passkey",
    invitedBy: "Invited by",
    recoveryCodes: "Recovery codes",
    secondFactors: "Second factors",
    secondFactorDemanded: "Require a second factor",
  } as Readonly<Record<string, string>>,
} as const;
