import { underEpoch } from "../../../kernel/remembered";
import type { Actor, Transactions } from "../../../kernel/work";
import { findEnvironment } from "../../access/operations";
import type { EventFormat } from "../formats/schema";
import type { EventIngest, IngestResult, UnknownCustomers } from "./schema";

export interface EventIntakeOptions {
	readonly transactions: Transactions;
	readonly events: EventIngest;
}

/** Hands the text of a `POST /events` on, with what its writer has to know of the environment: its time and its policy. */
export class EventIntake {
	readonly #transactions: Transactions;
	readonly #events: EventIngest;
	/** By environment. */
	readonly #policies: () => Map<string, UnknownCustomers>;

	constructor({ transactions, events }: EventIntakeOptions) {
		this.#transactions = transactions;
		this.#events = events;
		this.#policies = underEpoch(transactions.epoch, () => new Map());
	}

	/** Resolves after the commit is on disk. Never rejects for what is wrong with the events. */
	take(actor: Actor, text: string, format?: EventFormat): Promise<IngestResult> {
		const { environmentId } = actor;
		const now = this.#transactions.now(environmentId);
		const unknownCustomers = this.#policyOf(actor);
		return this.#events.send({ environmentId, now, unknownCustomers, text, ...(format && { format }) });
	}

	#policyOf(actor: Actor): UnknownCustomers {
		const { environmentId } = actor;
		const policies = this.#policies();
		const known = policies.get(environmentId);
		if (known) return known;
		const policy = this.#transactions.read(
			actor,
			(work) => findEnvironment(work, environmentId)?.unknownCustomers ?? "refuse",
		);
		policies.set(environmentId, policy);
		return policy;
	}
}
