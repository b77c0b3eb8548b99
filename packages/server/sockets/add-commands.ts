import type { Command } from "commander";
import type { Config } from "../config/config.ts";

/** The work of a command under the settings; returns the exit code. */
export type CommandWork = (config: Config) => number | Promise<number>;

/** Does the work of a command under the settings of the environment. */
export type Perform = (work: CommandWork) => Promise<void>;

/**
 * Adds commands to the operator's command line. A command imports its work only when it is asked
 * for, so that no other command loads it.
 */
export type AddCommands = (program: Command, perform: Perform) => void;
