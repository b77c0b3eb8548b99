import { signal } from "@preact/signals";
import type { DashboardAnswer, MeData } from "@stile/protocol/dashboard-api";
import { mayActAs, type Role } from "@stile/protocol/roles";
import { get } from "../api.ts";

/** Who is signed in; undefined until known. */
export const me = signal<MeData | undefined>(undefined);

/** Asks the service who is signed in, and keeps the answer in `me`. */
export async function loadMe(): Promise<DashboardAnswer<MeData>> {
  const answer = await get<MeData>("me");
  if (answer.success) me.value = answer.data;
  return answer;
}

/** Whether the signed-in member may do what that role may. Only hides what would be refused: the service decides. */
export function may(role: Role): boolean {
  return me.value !== undefined && mayActAs(me.value.user.role, role);
}
