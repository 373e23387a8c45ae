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
import { attributingDimensions } from "../../../governance/operations.attribution";
import { environmentsPricedInCredits, isPricedInCredits } from "../../../packages/operations";
import type { Dimensions } from "../../../pricing/models/formula";
import { creditRateChanges } from "../../../subscriptions/billing/credits/operations.rates";
import { everLiveSubscriptions } from "../../../subscriptions/operations.reading";
import { type FollowedEvent, followedCustomer } from "../../../usage/operations.following";
import { type EventPricing, type PricedEvent, type PriceEvent, pricerOf, pricesWholeUnitsOf } from "./rules";

/** The customers in the cache. When it is full, it is cleared. */
const customersMax = 20_000;

/** The price of an event by one feature's meter and rate. */
export type EventUse = PricedEvent & {
	readonly price: FeaturePrice;
	/** The start of the usage period of the event, where whole units are priced. */
	readonly periodStart: Instant | null;
	/** The dimensions that attribute it to governed entities; null for none. */
	readonly attribution: Dimensions | null;
};

/** The pricing of a feature's events for a customer, between two changes of rates. */
export interface FeaturePrice {
	readonly feature: FeatureRow;
	readonly rate: CreditRateOfHolder;
	readonly pricing: EventPricing;
	/** The hash of the pricing, its key in the table. */
	readonly pricingId: string;
	readonly price: PriceEvent;
	readonly pricesWholeUnits: boolean;
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
	/** The meters of features with a credit rate, by environment. */
	readonly meters: Map<string, ReadonlyArray<{ readonly meter: MeterRow; readonly feature: FeatureRow }>>;
	readonly environments: ReadonlySet<string>;
}

/** Finds the prices of events in credits, once for each customer and epoch of the main file. */
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

	/** Whether events of any customer can cost credits. */
	get isAnyPriced(): boolean {
		return this.#known().environments.size > 0;
	}

	/** Returns a customer by its number in the log; null where the customer's events cost no credits. */
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
		const followed = this.#transactions.read(systemActor(""), (work) => followedCustomer(work, number));
		if (!followed || !environments.has(followed.environmentId)) return null;
		return this.#transactions.read(systemActor(followed.environmentId), (work) =>
			this.#lookUp(work, followed.customerRef),
		);
	}

	#lookUp(work: Work, customerRef: string): PricedCustomer | null {
		const customer = findCustomer(work, customerRef);
		const meters = this.#metersOf(work);
		if (!customer || meters.length === 0) return null;
		const subscriptions = everLiveSubscriptions(work, customer.id);
		if (subscriptions.length === 0) return null;
		// The rates do not change between two of these instants.
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
				pricesAt(within, event.resourceRef, event.at).flatMap((price) => {
					const priced = price.price(event.facts, event.dimensions);
					if (!priced) return [];
					const periodStart = price.pricesWholeUnits
						? this.#periodStart(within, customerRef, event, price.feature)
						: null;
					const attribution = attributingDimensions(within, customer.id, event.dimensions);
					return { ...priced, price, periodStart, attribution };
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

	/** As for reports: the usage period that a check shows. */
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
		pricesWholeUnits: pricesWholeUnitsOf(pricing),
	};
}
