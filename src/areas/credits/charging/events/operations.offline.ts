import type { Log } from "../../../../http/log";
import type { Transactions } from "../../../../kernel/work";
import { timeSlices } from "../../../../tasks/time-slices";
import { EventIds } from "../../../usage/events/rules.event-ids";
import { EventCharging } from "./follow";

interface Offline {
	readonly transactions: Transactions;
	/** The secret of the folder. */
	readonly secret: string;
	readonly log: Log;
}

/** Consumes the credits of all events in the log, for a command on a folder without a running server. */
export async function chargeLoggedEvents({ transactions, secret, log }: Offline): Promise<void> {
	const turns = timeSlices();
	await new EventCharging({ transactions, turns, isStopping: () => false, eventIds: new EventIds(secret), log }).run();
}
