import { HttpRefusal } from "../../../http/refusal";
import { fail, unreachable } from "../../../kernel/errors";
import { underEpoch } from "../../../kernel/storage/remembered";
import type { Actor, Transactions } from "../../../kernel/work";
import { findEnvironment } from "../../access/operations";
import type { Rejected } from "../formats/rejected";
import type { EventFormat } from "../formats/schema";
import type { EventIngest, IngestResult, UnknownCustomers } from "../schema.ingest";

export interface EventIntakeOptions {
	readonly transactions: Transactions;
	readonly events: EventIngest;
}

/** Forwards the text of a `POST /events`, with the environment's time and policy. */
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

	/** Resolves after the commit is on disk. Never rejects because of the events. */
	take(actor: Actor, text: string, format?: EventFormat): Promise<IngestResult> {
		const { environmentId } = actor;
		const now = this.#transactions.now(environmentId);
		const unknownCustomers = this.#policyOf(actor);
		return this.#events.send({ environmentId, now, unknownCustomers, text, ...(format && { format }) });
	}

	/** As `take`; returns the rejected parts if the format allows some, and throws the refusal of the whole. */
	async accept(actor: Actor, text: string, format: EventFormat): Promise<Rejected | undefined> {
		const result = await this.take(actor, text, format);
		if (result.kind === "accepted") return result.rejected;
		throw refusalOf(result);
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

/** Returns the error for a refused request. */
export function refusalOf(result: IngestResult): Error {
	switch (result.kind) {
		case "refused":
			return fail(result.code, result.message);
		case "missing":
			return new HttpRefusal(404, result.message);
		case "too-large":
			return new HttpRefusal(413, result.message);
		case "unavailable":
			return new HttpRefusal(503, result.message, { "Retry-After": String(result.retryAfterSeconds) });
		case "accepted":
		case "canceled":
		case "found":
			return new Error(`The log has answered '${result.kind}' to what it was not asked.`);
		default:
			return unreachable(result);
	}
}
