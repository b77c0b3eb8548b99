/**
 * The permissions of an account's members. Each role may also do everything that the roles before
 * it may.
 */
export const ROLES = {
  viewer: "Can view sites and statistics.",
  developer: "Can also create sites, change their settings, label decisions and block waves.",
  admin:
    "Can also rotate and revoke keys, delete and restore sites, invite and remove members, and read the audit log.",
  owner: "Can do everything, including managing owners and admins.",
} as const;

/** One of the roles of a member. */
export type Role = keyof typeof ROLES;

/** All roles, from the least powerful to the most powerful. */
export const ROLES_IN_ORDER = Object.keys(ROLES) as Role[];

/** Whether a member with this role may do what the role `needed` may do. */
export function mayActAs(role: Role, needed: Role): boolean {
  return ROLES_IN_ORDER.indexOf(role) >= ROLES_IN_ORDER.indexOf(needed);
}
