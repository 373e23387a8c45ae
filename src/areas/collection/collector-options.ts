import type { Log } from "../../http/log";
import type { Transactions } from "../../kernel/work";
import type { Write } from "../../server/writer-calls";
import type { OpenProvider } from "./adapters";

/** The services of the collector. */
export interface CollectorOptions {
	readonly transactions: Transactions;
	/** Writes of the main file, which the writer carries out. */
	readonly write: Write;
	readonly open: OpenProvider;
	readonly folderSecret: string;
	/** The page of ours to which customers come back after an authentication; undefined if the server has no public address. */
	readonly returnUrl?: string | undefined;
	readonly log: Log;
	readonly isStopping: () => boolean;
}
