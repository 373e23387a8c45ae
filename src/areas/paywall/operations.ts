import { exact, zero } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { defaultCurrencyOf } from "../access/operations";
import { isPublishable } from "../access/rules.actors";
import { findResource, getCustomer } from "../customers/operations";
import type { CustomerRow } from "../customers/table";
import { chargesOfVersions, listPackages } from "../packages/operations";
import { type Offer, offeredCharges } from "../packages/rules.offer";
import type { ChargeRow, VersionRow } from "../packages/table";
import { currencyOfCharge } from "../pricing/models/charge";
import { lengthOf } from "../pricing/rules.billing-period";
import { getProduct } from "../products/operations";
import { buyerOf } from "../subscriptions/operations";
import { liveSubscriptions } from "../subscriptions/operations.reading";
import type { SubscriptionRow } from "../subscriptions/table";

/** The maximum number of plans on a paywall, enough to compare. */
export const plansMax = 100;

export interface PaywallQuery {
	/** The caller's ids. */
	readonly productId?: string | undefined;
	readonly customerId?: string | undefined;
	readonly resourceId?: string | undefined;
	/** ISO 3166-1 alpha-2. */
	readonly billingCountryCode?: string | undefined;
	/** ISO 4217, lower case: the currency of the prices for requests without a customer. */
	readonly currency?: string | undefined;
	/** ISO 4217, lower case: the currency that a sale would name. */
	readonly billingCurrency?: string | undefined;
	readonly fetchAllCountriesPrices?: boolean | undefined;
}

export interface Paywall {
	/** Free plans first, then by price, then plans without a price; each with its offer. */
	readonly plans: ReadonlyArray<VersionRow & { readonly offer: Offer }>;
	/** ISO 4217, lower case. */
	readonly currency: string;
	readonly customer: CustomerRow | null;
	/** The caller's id. */
	readonly resourceId: string | null;
	/** The subscriptions that give access now, on the resource if the request names one. */
	readonly activeSubscriptions: readonly SubscriptionRow[];
}

/**
 * Lists the plans for sale, of one product or of all, with the prices for this customer or country, or else the default
 * prices. Throws ProductNotFoundError, CustomerNotFound, CustomerResourceNotFound, FetchAllCountriesPricesNotAllowed for
 * publishable keys.
 */
export function readPaywall(work: Work, query: PaywallQuery): Paywall {
	const { productId, customerId, resourceId, billingCountryCode, currency = null, fetchAllCountriesPrices } = query;
	if (fetchAllCountriesPrices && isPublishable(work.actor))
		throw fail(
			"FetchAllCountriesPricesNotAllowed",
			"A publishable key sees the prices of one country at a time; omit 'fetchAllCountriesPrices'.",
		);
	if (productId !== undefined) getProduct(work, productId);
	const customer = customerId === undefined ? null : getCustomer(work, customerId);
	const resource = resourceOf(work, customer, resourceId);
	const buyer = customer
		? buyerOf(customer, billingCountryCode)
		: { countries: billingCountryCode === undefined ? [] : [billingCountryCode], currency, country: null };
	const shownTo = fetchAllCountriesPrices ? null : buyer;
	const offer: Offer = { buyer: shownTo, currency: query.billingCurrency, widget: "PAYWALL" };
	const published = {
		status: "PUBLISHED",
		limit: String(plansMax),
		...(productId !== undefined && { productId }),
	} as const;
	const versions = listPackages(work, "PLAN", published).rows.map(({ version }) => version);
	const charges = chargesOfVersions(
		work,
		versions.map(({ id }) => id),
	);
	const priced = versions.map((version) => ({
		version,
		charges: offeredCharges(charges.get(version.id) ?? [], offer).filter(({ isOverage }) => !isOverage),
	}));
	const shown = priced.toReversed().sort(byPrice);
	return {
		plans: shown.map(({ version }) => ({ ...version, offer })),
		currency:
			shown
				.flatMap((plan) => plan.charges)
				.map(currencyOfCharge)
				.find((currency) => currency !== undefined) ??
			buyer.currency ??
			defaultCurrencyOf(work),
		customer,
		resourceId: resource?.refId ?? null,
		activeSubscriptions: customer
			? liveSubscriptions(work, customer.id).filter((row) => !resource || row.resourceId === resource.id)
			: [],
	};
}

function resourceOf(work: Work, customer: CustomerRow | null, resourceId: string | undefined) {
	if (!customer || resourceId === undefined) return undefined;
	const resource = findResource(work, customer.id, resourceId);
	if (!resource)
		throw fail("CustomerResourceNotFound", `Customer '${customer.refId}' has no resource '${resourceId}'.`);
	return resource;
}

interface Priced {
	readonly version: VersionRow;
	readonly charges: readonly ChargeRow[];
}

const ranks = { FREE: 0, PAID: 1, CUSTOM: 2 } as const;

/**
 * Our choice (docs/interface/graphql.md#the-paywall): the interface defines no order. Plans with the same price keep
 * the order of their creation.
 */
function byPrice(one: Priced, other: Priced): number {
	const rank = ({ version: { pricingType } }: Priced): number => ranks[pricingType ?? "CUSTOM"];
	return rank(one) - rank(other) || yearly(one.charges).cmp(yearly(other.charges));
}

/** Returns the advance charge for a year with the fewest units: that of the shortest period, for the length of a year. */
function yearly(charges: readonly ChargeRow[]) {
	const inAdvance = charges.filter(
		({ billingCadence, billingModel }) =>
			billingCadence === "RECURRING" && (billingModel === "FLAT_FEE" || billingModel === "PER_UNIT"),
	);
	const sumOf = (period: ChargeRow["billingPeriod"]) =>
		inAdvance
			.filter(({ billingPeriod }) => billingPeriod === period)
			.reduce(
				(sum, { price, tiers, minUnitQuantity }) =>
					sum.plus(exact(firstPrice({ price, tiers })).times(minUnitQuantity ?? 1)),
				exact(zero),
			);
	const [shortest] = inAdvance
		.map(({ billingPeriod }) => billingPeriod)
		.sort((one, other) => lengthOf(one) - lengthOf(other));
	return shortest ? sumOf(shortest).times(lengthOf("ANNUALLY")).div(lengthOf(shortest)) : exact(zero);
}

const firstPrice = ({ price, tiers }: Pick<ChargeRow, "price" | "tiers">) =>
	price?.amount ?? tiers?.[0]?.unitPrice?.amount ?? tiers?.[0]?.flatPrice?.amount ?? zero;
