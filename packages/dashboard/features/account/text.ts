import { MOST_PASSKEYS } from "@stile/protocol/limits";
import type { Role } from "@stile/protocol/roles";

/** Names of the roles, for people. */
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
  passkeyCalledOff: "The passkey was not used. Try again, or sign in with your password.",
  insecureTitle: "This connection is not secure",
  lockedOut: "Locked out?",
  lockedOutOthers: "Ask an admin of the account for a reset link.",
  lockedOutAlone: `If nobody else can sign in, run this ${WHERE}, and open the link it prints:`,
  resetCommand: "npm run stile -- reset-link",
  noOwner: "Nobody owns this dashboard yet",
  noOwnerIntro:
    "To become the owner, open the setup link that the service printed when it started. The link works once, for 15 minutes.",
  noOwnerAnother: `This prints a new one; the one before then stops working. Run it ${WHERE}:`,
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
  profileSaved: "Your profile is saved.",
  password: "Password",
  currentPassword: "Your current password",
  passkeyAsked: "You have no password. You will be asked for a passkey.",
  passkeyUnused: "The passkey was not used. Try again.",
  newPassword: "New password",
  changePassword: "Change password",
  passwordChanged: "The password is changed. All other sessions were ended.",
  passkeys: "Passkeys",
  passkeysIntro:
    "Sign in with your fingerprint, face, device code or a security key. A passkey can't be phished.",
  passkeyName: "Name of the passkey",
  passkeyNameHelp: "So that you can tell your devices apart, such as “Laptop”.",
  addPasskey: "Add a passkey",
  passkeyAdded: "The passkey is added.",
  passkeyRemoved: "The passkey is removed.",
  passkeyRefused: "The passkey was not made. Try again, or choose another device.",
  noPasskeys: "No passkeys yet",
  noPasskeySupport: "Passkeys need a recent browser, and https with a domain name, or localhost.",
  passkeysFull: `You have ${MOST_PASSKEYS} passkeys and can't add more. Remove one you no longer use.`,
  removePasskey: "Remove the passkey",
  removePasskeyBody: "You can no longer sign in with it. Remove it on your device too.",
  added: "Added",
  lastUsed: "Last used",
  never: "never",
  action: "Action",
  remove: "Remove",
  totp: "Authenticator app",
  totpOn: "Signing in with your password also asks for a code from your app.",
  totpOff: "With an authenticator app, a stolen password is not enough to sign in.",
  totpStart: "Set it up",
  totpScan: "Scan this with your authenticator app, then enter the code it shows.",
  totpQr: "QR code for your authenticator app",
  totpSecret: "Can't scan? Enter this secret by hand:",
  totpSecretLabel: "Secret of the authenticator app",
  totpConfirm: "Turn on",
  totpEnabled: "The authenticator app is on.",
  totpDisable: "Turn off",
  totpDisableTitle: "Turn off the authenticator app",
  totpDisableBody:
    "Your password alone is then enough to sign in, unless the account requires a second factor.",
  totpDisabled: "The authenticator app is off.",
  sessions: "Sessions",
  sessionsIntro:
    "Browsers you are signed in with. If you don't recognise one, end it and change your password.",
  device: "Device",
  thisDevice: "This one",
  started: "Started",
  lastSeen: "Last seen",
  end: "End",
  endSession: "End session",
  sessionEnded: "The session is ended.",
  endOthers: "End all others",
  othersEnded: "All other sessions are ended.",
} as const;

/** Texts about recovery codes. */
export const RECOVERY = {
  title: "Recovery codes",
  intro: "Each one replaces your app or passkey once, should you lose it.",
  left: "{n} codes are left.",
  oneLeft: "One code is left. Make new ones.",
  noneLeft: "No code is left. Make new ones, or losing your app or passkey locks you out.",
  renew: "Make new codes",
  renewConfirm: "Make them",
  renewBody: "You get ten new codes. The old ones stop working at once.",
  newTitle: "Your recovery codes",
  newBody:
    "Keep them where you can find them without your phone: on paper, or in a password manager. They are not shown again.",
  done: "I have kept them",
} as const;

/** Texts about the account's name. */
export const ACCOUNT_NAME = {
  title: "Name of the account",
  name: "Name",
  help: "Members see it in their account menu, and so does anyone who opens an invitation.",
  save: "Save name",
  renamed: "The account is renamed.",
} as const;

/** Texts about the demand for a second factor. */
export const DEMAND = {
  title: "Second factor for all members",
  on: "Every member needs an authenticator app or a passkey. A member without one can only set one up.",
  off: "Members can sign in with a password alone.",
  raise: "Require a second factor",
  raiseBody:
    "Members without an authenticator app are signed out. Anyone with neither an app nor a passkey has to set one up at the next sign-in, before anything else.",
  raised: "Every member now needs a second factor.",
  lower: "Stop requiring it",
  lowerBody: "Members can then remove their second factor and sign in with a password alone.",
  lowered: "A second factor is no longer required.",
  ownersOnly: "Only an owner can change this.",
  ownFirst: "To require it of others, set up a second factor for yourself first.",
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
  roleChanged: "The role is changed.",
  reset: "Reset link",
  resetTitle: "Reset link for",
  resetBody:
    "Anyone who has this link can choose a new password for the member. Create it only if you have spoken to them.",
  resetRemove: "Also remove their app, passkeys and recovery codes",
  resetKeepHelp: "Without this, the link asks for one of them.",
  resetRemoveHelp:
    "Anyone who has the link then needs nothing else. Do this only if the member has lost all of them. Confirm with your password.",
  resetMake: "Make the link",
  endSessions: "End sessions",
  endSessionsBody: "The member is signed out everywhere at once, and can sign in again.",
  endOwnSessionsBody: "You are signed out everywhere but here.",
  sessionsEnded: "The sessions are ended.",
  noSessions: "There was no session to end.",
  remove: "Remove",
  removeTitle: "Remove",
  removeBody:
    "The member can no longer sign in, and all their sessions end at once. What they did stays in the audit log. Secret keys that they have seen keep working: rotate those on the Keys page of each site.",
  removed: "The member is removed.",
  ownersOnly: "Only an owner can change owners and admins.",
  lastOwner: "The only owner can't be changed or removed: make somebody else an owner first.",
  invite: "Invite a member",
  inviteIntro:
    "You get a link to pass on yourself, in a way you trust. It works once, for three days.",
  inviteMake: "Make an invitation",
  invitations: "Open invitations",
  madeBy: "Made by",
  operator: "command line",
  noInvitations: "No open invitations",
  validFor: "Expires in",
  takeBack: "Withdraw",
  takenBack: "The invitation is withdrawn.",
  linkOnce: "Copy this link now: it is not shown again.",
  linkLabel: "Link to pass on",
  linkHere:
    "For this machine alone. For others, set STILE_BASE_URL to an https address, and make a link there.",
  linkDone: "Done",
  adminsOnly: "This page is for admins and owners of the account.",
} as const;

/** Texts of the audit log. */
export const AUDIT = {
  title: "Audit log",
  intro: "Who did what, the newest first. Nobody can change it here.",
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
    tokenLifeSeconds: "Token life (s)",
    binding: "Binding",
    signedAgents: "Signed bots",
    thresholds: "Thresholds",
    difficultyOffset: "Difficulty",
    verifyPerMinute: "Verify limit",
    scorePerMinute: "Score limit",
    scoreSignals: "Signals with scores",
    onUnavailable: "During an outage",
    noScript: "Without JavaScript",
    contact: "Contact",
    label: "Label",
    passkey: "Passkey",
    invitedBy: "Invited by",
    recoveryCodes: "Recovery codes",
    secondFactors: "Second factors",
    secondFactorDemanded: "Second factor required",
  } as Readonly<Record<string, string>>,
} as const;
