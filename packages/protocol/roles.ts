/**
 * The permissions of an account's members. Each role may also do everything that the roles before
 * it may.
 */
export const ROLES = {
  viewer: "Sees sites and statistics.",
  developer: "Creates sites and changes their settings; labels decisions.",
  admin:
    "Rotates and revokes keys, deletes and restores sites, invites and removes members, reads the audit log.",
  owner: "Everything, owners and admins included.",
} as const;

/** One of the roles of a member. */
export type Role = keyof typeof ROLES;

/** All roles, from the least powerful to the most powerful. */
export const ROLES_IN_ORDER = Object.keys(ROLES) as Role[];

/** Whether a member with this role may do what the role `needed` may do. */
export function mayActAs(role: Role, needed: Role): boolean {
  return ROLES_IN_ORDER.indexOf(role) >= ROLES_IN_ORDER.indexOf(needed);
}
