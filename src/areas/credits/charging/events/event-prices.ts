import type { Instant } from "../../../../kernel/clock";
import { underEpoch } from "../../../../kernel/storage/remembered";
import type { Transactions, Work } from "../../../../kernel/work";
import { systemActor } from "../../../access/rules.actors";
import { findCustomer } from "../../../customers/operations";
import { type CreditRateOfHolder, ratesAt } from "../../../entitlements/operations.credit-rates";
import { ResolvedCache } from "../../../entitlements/operations.remembered";
import { periodStartShown } from "../../../entitlements/operations.resets";
import { featuresByIds, listMeters } from "../../../features/operations";
import type { FeatureRow, MeterRow } from "../../../features/table";
import { environmentsPricedInCredits, isPricedInCredits } from "../../../packages/operations";
import { creditRateChanges } from "../../../subscriptions/billing/operations.credit-rates";
import { everLiveSubscriptions } from "../../../subscriptions/operations";
import { type FollowedEvent, followedCustomer } from "../../../usage/operations.following";
import { type EventPricing, isPricedByWholeUnits, type PricedEvent, type PriceEvent, pricerOf } from "./rules";

/** Our choice: customers whose prices are known at once; beyond it all are forgotten and looked up again. */
const customersMax = 20_000;

/** What an event costs by one feature's meter and rate. */
export type EventUse = PricedEvent & {
	readonly by: FeaturePrice;
	/** Of the usage period that the event lies in, where units are priced by whole ones. */
	readonly periodStart: Instant | null;
};

/** By what a feature's events are priced for somebody, for some time. */
export interface FeaturePrice {
	readonly feature: FeatureRow;
	readonly rate: CreditRateOfHolder;
	readonly pricing: EventPricing;
	/** The hash of the pricing, under which it is kept. */
	readonly pricingId: string;
	readonly price: PriceEvent;
	readonly isByWholeUnits: boolean;
}

/** A customer whose events may cost credits. */
export interface PricedCustomer {
	readonly environmentId: string;
	/** Row id. */
	readonly customerId: string;
	readonly usesOf: (work: Work, event: FollowedEvent) => EventUse[];
}

interface Known {
	readonly customers: Map<number, PricedCustomer | null>;
	/** Meters of features that are priced in credits, by environment. */
	readonly meters: Map<string, ReadonlyArray<{ readonly meter: MeterRow; readonly feature: FeatureRow }>>;
	readonly environments: ReadonlySet<string>;
}

/** What events cost in credits: looked up once for each customer, and again after anything in the main file has changed. */
export class EventPrices {
	readonly #transactions: Transactions;
	readonly #resolve: ResolvedCache["resolve"];
	readonly #known: () => Known;

	constructor(transactions: Transactions) {
		this.#transactions = transactions;
		this.#resolve = new ResolvedCache(transactions).resolve;
		this.#known = underEpoch(transactions.epoch, () => ({
			customers: new Map(),
			meters: new Map(),
			environments: transactions.read(systemActor(""), environmentsPricedInCredits),
		}));
	}

	/** Whether anybody's events can cost credits. */
	get isAnyPriced(): boolean {
		return this.#known().environments.size > 0;
	}

	/** By the number by which the log names the customer; null for one whose events cost no credits. */
	customer(number: number): PricedCustomer | null {
		const { customers } = this.#known();
		const known = customers.get(number);
		if (known !== undefined) return known;
		if (customers.size >= customersMax) customers.clear();
		const found = this.#find(number);
		customers.set(number, found);
		return found;
	}

	#find(number: number): PricedCustomer | null {
		const { environments } = this.#known();
		const named = this.#transactions.read(systemActor(""), (work) => followedCustomer(work, number));
		if (!named || !environments.has(named.environmentId)) return null;
		return this.#transactions.read(systemActor(named.environmentId), (work) => this.#lookUp(work, named.customerRef));
	}

	#lookUp(work: Work, customerRef: string): PricedCustomer | null {
		const customer = findCustomer(work, customerRef);
		const meters = this.#metersOf(work);
		if (!customer || meters.length === 0) return null;
		const subscriptions = everLiveSubscriptions(work, customer.id);
		if (subscriptions.length === 0) return null;
		// Between two of these instants the rates are the same.
		const changes = subscriptions.flatMap((row) => creditRateChanges(work, row));
		const prices = new Map<string, readonly FeaturePrice[]>();
		const pricesAt = (within: Work, resourceRef: string | null, eventAt: Instant): readonly FeaturePrice[] => {
			const at = Math.min(eventAt, within.now) as Instant;
			const key = `${changes.filter((change) => change <= at).length}\n${resourceRef ?? ""}`;
			const known = prices.get(key);
			if (known) return known;
			const rates = ratesAt(within, customer.id, resourceRef, at);
			const found = meters.flatMap(({ meter, feature }) => {
				const rate = rates.get(feature.id);
				return rate ? featurePrice(meter, feature, rate) : [];
			});
			prices.set(key, found);
			return found;
		};
		return {
			environmentId: work.actor.environmentId,
			customerId: customer.id,
			usesOf: (within, event) =>
				pricesAt(within, event.resourceRef, event.at).flatMap((by) => {
					const priced = by.price(event.facts, event.dimensions);
					if (!priced) return [];
					const periodStart = by.isByWholeUnits ? this.#periodStart(within, customerRef, event, by.feature) : null;
					return { ...priced, by, periodStart };
				}),
		};
	}

	#metersOf(work: Work) {
		const { meters } = this.#known();
		const { environmentId } = work.actor;
		const known = meters.get(environmentId);
		if (known) return known;
		const priced = listMeters(work).filter(({ featureId }) => isPricedInCredits(work, featureId));
		const features = featuresByIds(
			work,
			priced.map(({ featureId }) => featureId),
		);
		const found = priced.flatMap((meter) => {
			const feature = features.get(meter.featureId);
			return feature ? { meter, feature } : [];
		});
		meters.set(environmentId, found);
		return found;
	}

	/** As reports are priced: by the usage period that a check shows. */
	#periodStart(work: Work, customerRef: string, { resourceRef, at }: FollowedEvent, feature: FeatureRow): Instant {
		return periodStartShown(this.#resolve(work, customerRef, resourceRef), feature, at);
	}
}

function featurePrice({ aggregation, filters }: MeterRow, feature: FeatureRow, rate: CreditRateOfHolder): FeaturePrice {
	const { currencyId, creditAmount, blockSize, costFormula } = rate;
	const pricing: EventPricing = {
		aggregation,
		filters,
		unitTransformation: feature.unitTransformation,
		rate: { currencyId, creditAmount, blockSize, costFormula },
	};
	return {
		...{ feature, rate, pricing },
		pricingId: new Bun.CryptoHasher("sha256").update(JSON.stringify(pricing)).digest("hex"),
		price: pricerOf(pricing),
		isByWholeUnits: isPricedByWholeUnits(pricing),
	};
}
