import { signal } from "@preact/signals";
import type { DashboardAnswer, EnteredData, MeData } from "@stile/protocol/dashboard-api";
import { mayActAs, type Role } from "@stile/protocol/roles";
import { get } from "../api.ts";

/** The signed-in member; undefined until known. */
export const me = signal<MeData | undefined>(undefined);

/** Asks the service who is signed in, and keeps the answer in `me`. */
export async function loadMe(): Promise<DashboardAnswer<MeData>> {
  const answer = await get<MeData>("me");
  if (answer.success) me.value = answer.data;
  return answer;
}

/**
 * How many recovery codes were left after one was used to sign in; set until the notice about it is
 * dismissed.
 */
export const recoveryCodesLeft = signal<number | undefined>(undefined);

/** Keeps the additional data of a successful sign-in's answer. */
export function recordEntered(answer: DashboardAnswer<EnteredData>): void {
  if (answer.success) recoveryCodesLeft.value = answer.data.recoveryCodesLeft;
}

/** Whether the signed-in member has a second factor. */
export function hasFactor(): boolean {
  return me.value !== undefined && (me.value.hasTotp || me.value.passkeys.length > 0);
}

/**
 * Whether the account demands a second factor that the member lacks: until then they can do nothing
 * else here.
 */
export function mustSetUpFactor(): boolean {
  return me.value?.isSecondFactorDemanded === true && !hasFactor();
}

/**
 * Whether the signed-in member may do what that role may. This only hides actions that the service
 * would refuse.
 */
export function may(role: Role): boolean {
  return me.value !== undefined && mayActAs(me.value.user.role, role);
}
