import { readdirSync, readFileSync } from "node:fs";

type Listed = { readonly pid: number; readonly parent: number };

/** All processes of this machine that have not ended (Linux). */
export function listProcesses(): Listed[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const stat = readFileSync(`/proc/${name}/stat`, "utf8");
        const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
        return state === "Z" ? [] : [{ pid: Number(name), parent: Number(parent) }];
      } catch {
        return []; // It ended meanwhile.
      }
    });
}

/** The process and all its descendants, from the top down. */
export function treeOf(top: number): number[] {
  const listed = listProcesses();
  const below = (pid: number): number[] => [
    pid,
    ...listed.filter(({ parent }) => parent === pid).flatMap((child) => below(child.pid)),
  ];
  return below(top);
}
