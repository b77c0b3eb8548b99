import { type Stile, startStile } from "../index.ts";

/** What tests get by `inject("stile")`. */
export type InjectedStile = Omit<Stile, "stop">;

/** For `globalSetup` of Vitest: starts a service for all tests of a run. */
export default async function setup(project: {
  provide(name: "stile", value: InjectedStile): void;
}): Promise<() => Promise<void>> {
  const { stop, ...stile } = await startStile();
  project.provide("stile", stile);
  return stop;
}
