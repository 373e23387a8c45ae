import type { FaultRates, PlannedFault } from "../faults";
import type { Account } from "./account";

export interface StandIn {
	readonly url: string;
	readonly secretKey: string;
	readonly webhookSecret: string;
	readonly account: Account;
	/** The number of calls, by `METHOD /path` with `*` for ids, and of all of them. */
	readonly calls: { total: number };
	setFaults(rates: Partial<FaultRates>): void;
	plan(fault: PlannedFault): void;
	/** Sends events to an address, signed with `webhookSecret`. */
	sendEventsTo(url: string): void;
	/** Moves the clock, and takes the steps that are due then. */
	advance(byMs: number): void;
	setClock(at: number): void;
	eventsSettled(): Promise<void>;
	stop(): Promise<void>;
}
