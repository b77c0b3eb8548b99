import { globSync } from "node:fs";

/** Makes a process see another time than the machine's. */
export const FAKETIME = { file: "/usr/bin/faketime", debianPackage: "faketime" } as const;
/** Makes system calls of a running process slow, or fail. */
export const STRACE = { file: "/usr/bin/strace", debianPackage: "strace" } as const;
/** Slow clients from another project. */
export const SLOWHTTPTEST = {
  file: "/usr/bin/slowhttptest",
  debianPackage: "slowhttptest",
} as const;

/** The library that faketime loads into a multi-threaded process. */
export function faketimeLibrary(): string {
  const [library] = globSync("/usr/lib/*/faketime/libfaketimeMT.so.1");
  if (library === undefined) throw new Error("faketime is installed without its library");
  return library;
}
