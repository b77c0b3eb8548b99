import type { Command } from "commander";
import type { Config } from "../config/config.ts";

/** The work of a command under the settings; returns the exit code. */
export type CommandWork = (config: Config) => number | Promise<number>;

/** Runs a command under the settings of the environment. */
export type Perform = (work: CommandWork) => Promise<void>;

/**
 * Adds commands to the operator's command line. A command imports its code only when it is called,
 * so that no other command loads it.
 */
export type AddCommands = (program: Command, perform: Perform) => void;
