import type { Cause } from "./kernel/work";

let current: Cause | undefined;

/** Sets the command that this process runs. A process of the command line runs one command. */
export const runAs = (cause: Cause): void => {
	current = cause;
};

/** The command that this process runs: the cause of its writes, where a work names no other. */
export const currentCommand = (): Cause | undefined => current;
