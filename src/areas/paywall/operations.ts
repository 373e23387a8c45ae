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
import { getProduct } from "../products/operations";
import { buyerOf, liveSubscriptions } from "../subscriptions/operations";
import type { SubscriptionRow } from "../subscriptions/table";

/** Our choice: nobody compares more. */
export const plansMax = 100;

export interface PaywallQuery {
	/** The caller's ids. */
	readonly productId?: string | undefined;
	readonly customerId?: string | undefined;
	readonly resourceId?: string | undefined;
	/** ISO 3166-1 alpha-2. */
	readonly billingCountryCode?: string | undefined;
	/** ISO 4217, lower case: of the prices, where no customer is named. */
	readonly currency?: string | undefined;
	readonly fetchAllCountriesPrices?: boolean | undefined;
}

export interface Paywall {
	/** Free ones first, then by price, then what has none; each with whom it is offered to. */
	readonly plans: ReadonlyArray<VersionRow & { readonly offer: Offer }>;
	/** ISO 4217, lower case. */
	readonly currency: string;
	readonly customer: CustomerRow | null;
	/** The caller's id. */
	readonly resourceId: string | null;
	/** What gives the customer access now: on the resource where one is named. */
	readonly activeSubscriptions: readonly SubscriptionRow[];
}

/**
 * What is for sale, of one product or of all: the prices that this customer would pay, or one from that country; without
 * either the default ones. ProductNotFoundError, CustomerNotFound, CustomerResourceNotFound,
 * FetchAllCountriesPricesNotAllowed for publishable keys.
 */
export function readPaywall(work: Work, query: PaywallQuery): Paywall {
	const { productId, customerId, resourceId, billingCountryCode, currency = null, fetchAllCountriesPrices } = query;
	if (fetchAllCountriesPrices && isPublishable(work.actor))
		throw fail(
			"FetchAllCountriesPricesNotAllowed",
			"A publishable key sees the prices of one country at a time; leave 'fetchAllCountriesPrices' out.",
		);
	if (productId !== undefined) getProduct(work, productId);
	const customer = customerId === undefined ? null : getCustomer(work, customerId);
	const resource = resourceOf(work, customer, resourceId);
	const buyer = customer
		? buyerOf(customer, billingCountryCode)
		: { countries: billingCountryCode === undefined ? [] : [billingCountryCode], currency, country: null };
	const offer: Offer = { buyer: fetchAllCountriesPrices ? null : buyer, widget: "PAYWALL" };
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

/** Our choice, where the interface is silent: as people read prices. Plans of one price stay in the order in which they were made. */
function byPrice(one: Priced, other: Priced): number {
	const rank = ({ version: { pricingType } }: Priced): number => ranks[pricingType ?? "CUSTOM"];
	return rank(one) - rank(other) || yearly(one.charges).cmp(yearly(other.charges));
}

/** What is paid in advance for a year with the fewest units; of a month twelve times as much. */
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
	const isMonthly = inAdvance.some(({ billingPeriod }) => billingPeriod === "MONTHLY");
	return isMonthly ? sumOf("MONTHLY").times(12) : sumOf("ANNUALLY");
}

const firstPrice = ({ price, tiers }: Pick<ChargeRow, "price" | "tiers">) =>
	price?.amount ?? tiers?.[0]?.unitPrice?.amount ?? tiers?.[0]?.flatPrice?.amount ?? zero;
