import type { Config } from "../config/config";

/** What every command is given. */
export interface CliContext {
	readonly config: () => Config;
	/** Answers of a command: plain text on standard output. */
	readonly print: (text: string) => void;
}
