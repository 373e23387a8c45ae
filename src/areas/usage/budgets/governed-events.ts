import type { Instant } from "../../../kernel/clock";
import { underEpoch } from "../../../kernel/storage/remembered";
import type { Transactions, Work } from "../../../kernel/work";
import { systemActor } from "../../access/rules.actors";
import { findCustomer } from "../../customers/operations";
import { listMeters } from "../../features/operations";
import { addsUp } from "../../features/rules";
import type { MeterRow } from "../../features/table";
import {
	attributionKeys,
	createEntitiesOfEvents,
	createsEntities,
	type EventBudgets,
	type EventSpan,
	eventBudgets,
	eventSpan,
	hasBudgets,
	newestBudget,
} from "../../governance/operations.events";
import type { Dimensions } from "../../pricing/models/formula";
import type { ExactSum } from "../aggregation/exact-sum";
import { compileMeter } from "../aggregation/meter";
import type { Counter } from "../counting/tally";
import { followedCustomer } from "../operations.following";
import { selectGovernedEnvironments } from "./store";

/** Attributions in memory, about 100 MB with four levels each. When there are more, all are discarded. */
const attributionsMax = 100_000;

/** A meter whose feature has budgets. */
export interface GovernedMeter {
	readonly counter: Counter;
	readonly meter: MeterRow;
}

/** The events of one attribution and meter within a span. `sum` is the amount of the present step; undefined if there is none. */
export interface CountedSpan {
	readonly customer: GovernedCustomer;
	readonly meter: GovernedMeter;
	readonly budgets: EventBudgets;
	readonly span: EventSpan;
	sum: ExactSum | undefined;
}

/** Dimensions of events that name an entity which does not exist. */
export interface NamedByEvents {
	readonly customer: GovernedCustomer;
	readonly dimensions: Dimensions;
	/** The time of the earliest event. */
	at: Instant;
}

/** The budgets of one attribution, by meter. */
export class AttributedEvents {
	readonly #customer: GovernedCustomer;
	readonly #budgets: ReadonlyArray<{
		readonly meter: GovernedMeter;
		readonly budgets: EventBudgets;
		readonly spans: CountedSpan[];
	}>;

	constructor(work: Work, customer: GovernedCustomer, dimensions: Dimensions) {
		this.#customer = customer;
		const { customerId } = customer;
		this.#budgets = customer.environment.meters.flatMap((meter) => {
			const found = eventBudgets(work, { customerId, featureId: meter.counter.featureId, dimensions });
			return found ? [{ meter, budgets: found, spans: [] }] : [];
		});
	}

	/** Returns the span that counts an event of a meter; undefined if no budget does. */
	spanOf(counter: Counter, at: Instant): CountedSpan | undefined {
		const found = this.#budgets.find(({ meter }) => meter.counter === counter);
		if (!found) return undefined;
		const { meter, budgets, spans } = found;
		const known = spans.find(({ span }) => span.start <= at && at < span.end);
		if (known) return known;
		const made = { customer: this.#customer, meter, budgets, span: eventSpan(budgets, at), sum: undefined };
		spans.push(made);
		return made;
	}
}

/** An environment with budgets, or templates of budgets, for features that a meter counts. */
export interface GovernedEnvironment {
	readonly id: string;
	readonly meters: readonly GovernedMeter[];
	readonly counters: readonly Counter[];
	/** The attribution keys of each entity type. */
	readonly keys: ReadonlyArray<readonly string[]>;
}

/** A customer with budgets for such features, or whose events can create them. */
export interface GovernedCustomer {
	readonly environment: GovernedEnvironment;
	/** Row id. */
	readonly customerId: string;
	/** By the text of the dimensions that attribute. */
	readonly attributed: Map<string, AttributedEvents>;
}

interface Known {
	readonly environments: ReadonlyMap<string, GovernedEnvironment>;
	readonly customers: Map<number, GovernedCustomer | null>;
	attributions: number;
}

/** Finds the budgets that count events, once for each attribution, epoch of the main file and look. */
export class GovernedEvents {
	readonly #transactions: Transactions;
	#known: () => Known;
	#newest = 0;

	constructor(transactions: Transactions) {
		this.#transactions = transactions;
		this.#known = knownBudgets(transactions);
	}

	/** Returns whether there are budgets that usage has created since the last look, which it then finds too. */
	look(): boolean {
		const newest = this.#transactions.read(systemActor(""), newestBudget);
		if (newest === this.#newest) return false;
		this.#newest = newest;
		this.#known = knownBudgets(this.#transactions);
		return true;
	}

	/** Whether events of any customer can count. */
	get isAny(): boolean {
		return this.#known().environments.size > 0;
	}

	/** Frees memory between two steps. */
	trim(): void {
		const known = this.#known();
		if (known.attributions < attributionsMax && known.customers.size < attributionsMax) return;
		known.customers.clear();
		known.attributions = 0;
	}

	/** Returns a customer by its number in the log; null if its events count at no budget. */
	customer(number: number): GovernedCustomer | null {
		const { customers } = this.#known();
		const known = customers.get(number);
		if (known !== undefined) return known;
		const found = this.#find(number);
		customers.set(number, found);
		return found;
	}

	/**
	 * Returns the budgets of an attribution. `key` is one text for all its dimensions. Undefined: it names an entity that does not exist, and
	 * that a template creates.
	 */
	attributed(customer: GovernedCustomer, key: string, dimensions: Dimensions): AttributedEvents | undefined {
		const { customerId, environment, attributed } = customer;
		const found = this.#transactions.read<AttributedEvents | undefined>(systemActor(environment.id), (work) =>
			createsEntities(work, { customerId, dimensions }) ? undefined : new AttributedEvents(work, customer, dimensions),
		);
		if (found === undefined) return undefined;
		attributed.set(key, found);
		this.#known().attributions += 1;
		return found;
	}

	/** Creates entities that events name, in one transaction. Their budgets count from the next reading of these events. */
	create(environmentId: string, named: readonly NamedByEvents[]): void {
		this.#transactions.writeUsage(systemActor(environmentId), (work) =>
			createEntitiesOfEvents(
				work,
				named.map(({ customer: { customerId }, dimensions, at }) => ({ customerId, dimensions, at })),
			),
		);
		for (const { customer } of named) customer.attributed.clear();
		this.#newest = this.#transactions.read(systemActor(""), newestBudget);
	}

	/** Discards what is known, because a write may have been rolled back. */
	invalidate(): void {
		this.#newest = -1;
	}

	#find(number: number): GovernedCustomer | null {
		const { environments } = this.#known();
		const followed = this.#transactions.read(systemActor(""), (work) => followedCustomer(work, number));
		const environment = followed && environments.get(followed.environmentId);
		if (!environment) return null;
		const customer = this.#transactions.read(systemActor(environment.id), (work) => {
			const row = findCustomer(work, followed.customerRef);
			const isGoverned = row && environment.meters.some(({ meter }) => hasBudgets(work, meter.featureId, row.id));
			return isGoverned ? row.id : undefined;
		});
		return customer === undefined ? null : { environment, customerId: customer, attributed: new Map() };
	}
}

const knownBudgets = (transactions: Transactions): (() => Known) =>
	underEpoch(transactions.epoch, () => ({
		environments: governedEnvironments(transactions),
		customers: new Map(),
		attributions: 0,
	}));

function governedEnvironments(transactions: Transactions): Map<string, GovernedEnvironment> {
	const environments = transactions.read(systemActor(""), selectGovernedEnvironments);
	const governed = environments.flatMap((id) =>
		transactions.read(systemActor(id), (work) => {
			const keys = attributionKeys(work);
			if (keys.length === 0) return [];
			const meters = listMeters(work)
				.filter((meter) => addsUp(meter.aggregation) && hasBudgets(work, meter.featureId))
				.map((meter) => ({ meter, counter: counterOf(meter) }));
			return meters.length === 0 ? [] : [{ id, meters, counters: meters.map(({ counter }) => counter), keys }];
		}),
	);
	return new Map(governed.map((environment) => [environment.id, environment]));
}

/** These counters have no totals of their own. */
const counterOf = ({ id, environmentId, featureId, aggregation, filters }: MeterRow): Counter => ({
	...{ id: 0, environmentId, featureId, meterId: id },
	...compileMeter({ aggregation, filters }),
});
