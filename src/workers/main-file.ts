import { testClocksIn } from "../areas/access/environments/operations.clocks";
import { wallClock } from "../kernel/clock";
import { newUuidV7 } from "../kernel/ids";
import { openFile } from "../kernel/storage/db";
import { Epochs } from "../kernel/storage/epochs";
import { openTransactions } from "../kernel/storage/transactions";
import type { Database, Transactions } from "../kernel/work";
import type { WorkerSettings } from "./messages";

/** Returns the transactions of a thread that only reads the main file. */
export const openReading = (db: Database, epochs: Epochs): Transactions =>
	openTransactions({
		db,
		clock: wallClock,
		testClocks: testClocksIn,
		newId: newUuidV7,
		wake: () => {},
		epochs,
		writes: "never",
	});

/** Opens a thread's own read-only connection to the main file. */
export function openMain(
	{ folder, epochs }: Pick<WorkerSettings, "folder" | "epochs">,
	readAlso: Parameters<typeof openFile>[2],
): { db: Database; transactions: Transactions } {
	const db = openFile(folder, "main", readAlso);
	db.$client.run("PRAGMA query_only = ON");
	return { db, transactions: openReading(db, new Epochs(epochs)) };
}
