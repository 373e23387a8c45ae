import type { Config } from "../config/config";

/** The context of every command. */
export interface CliContext {
	readonly config: () => Config;
	/** Prints the answer of a command, as plain text on standard output. */
	readonly print: (text: string) => void;
}
