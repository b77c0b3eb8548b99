/** What a member of an account may do; each role may do all that the ones before it may. */
export const ROLES = {
  viewer: "Sees sites and statistics.",
  developer: "Creates sites and changes their settings; labels decisions.",
  admin: "Rotates and revokes keys, deletes and restores sites, invites and removes members, reads the audit log.",
  owner: "Everything, owners and admins included.",
} as const;

/** One of the roles of a member. */
export type Role = keyof typeof ROLES;

/** Every role, the least first. */
export const ROLES_IN_ORDER = Object.keys(ROLES) as Role[];

/** Whether a member of that role may do what `needed` may. */
export function mayActAs(role: Role, needed: Role): boolean {
  return ROLES_IN_ORDER.indexOf(role) >= ROLES_IN_ORDER.indexOf(needed);
}
