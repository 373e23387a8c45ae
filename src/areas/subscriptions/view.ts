import { type Instant, toIso, toIsoOrNull } from "../../kernel/clock";
import { toWire, toWireOrNull } from "../../kernel/decimal";
import type { Amount } from "../../kernel/money";
import type { InvoiceRow } from "../invoices/table";
import type { OfferedCharge } from "../pricing/price-choice";
import type { SubscriptionDetails } from "./details";
import { billingPeriodContaining, cancelReasonAt, isRunning, statusAt } from "./rules";
import type { LatestInvoice, Subscription, SubscriptionPrice } from "./schema";
import type { HeldPrice, Names } from "./terms";

/** A subscription as of `now`: an agreed end that has come shows, and the billing period is the one that runs. */
export function viewSubscription(details: SubscriptionDetails, now: Instant): Subscription {
	const { row, entitlements } = details;
	const status = statusAt(row, now);
	const period =
		isRunning(status) && row.billingAnchorAt !== null && row.billingPeriod !== null
			? billingPeriodContaining(row.billingAnchorAt, row.billingPeriod, now)
			: null;
	return {
		id: row.refId,
		billingId: row.billingId,
		customerId: details.customerRef,
		payingCustomerId: details.payingCustomerRef,
		resourceId: details.resourceRef,
		planId: details.planRef,
		contractId: row.contractRefId,
		status,
		cancelReason: cancelReasonAt(row, now),
		pricingType: row.pricingType,
		paymentCollection: row.paymentCollection,
		paymentCollectionMethod: row.paymentCollectionMethod,
		startDate: toIso(row.startAt),
		endDate: toIsoOrNull(row.endAt),
		effectiveEndDate: toIsoOrNull(row.endedAt ?? earlier(row.endAt, row.cancelAt)),
		cancellationDate: toIsoOrNull(row.cancelAt),
		trialEndDate: toIsoOrNull(row.trialEndAt),
		trial: row.trialEndBehavior && { trialEndBehavior: row.trialEndBehavior },
		billingCycleAnchor: toIsoOrNull(row.billingAnchorAt),
		currentBillingPeriodStart: toIsoOrNull(period?.start ?? null),
		currentBillingPeriodEnd: toIsoOrNull(period?.end ?? null),
		addons: details.addons.map(({ refId, quantity }) => ({ id: refId, quantity })),
		coupons: details.coupons.map(({ applied, coupon }) => ({
			id: coupon.refId,
			name: coupon.name,
			status:
				applied.status === "ACTIVE" && applied.endAt !== null && applied.endAt <= now ? "EXPIRED" : applied.status,
			percentOff: toWireOrNull(coupon.percentOff),
			amountsOff: coupon.amountsOff?.map(viewAmount) ?? null,
		})),
		prices: details.prices.filter(({ charge }) => costsMoney(charge)).map((price) => viewPrice(price, details.names)),
		minimumSpend: row.minimumSpend && viewAmount(row.minimumSpend),
		budget: row.budget && { limit: toWire(row.budget.limit), hasSoftLimit: row.budget.hasSoftLimit },
		latestInvoice: details.latestInvoice ? viewLatestInvoice(details.latestInvoice) : null,
		futureUpdates: [],
		metadata: row.metadata,
		...(entitlements && { subscriptionEntitlements: [...entitlements] }),
		createdAt: toIso(row.createdAt),
	};
}

const earlier = (one: Instant | null, other: Instant | null): Instant | null =>
	one === null ? other : other === null || one < other ? one : other;

const viewAmount = ({ amount, currency }: Amount) => ({ amount: toWire(amount), currency });

/** Prices in credits and minimum spends have no place in the wire's `prices`. */
const costsMoney = ({ billingModel, price, tiers }: OfferedCharge): boolean =>
	billingModel !== "MINIMUM_SPEND" && (price !== null || tiers !== null);

function viewPrice({ charge, package: sold }: HeldPrice, { featureRef }: Names): SubscriptionPrice {
	const { price, tiers, blockSize, featureId, billingCountryCode } = charge;
	return {
		addonId: sold.isAddon ? sold.refId : null,
		featureId: featureId === null ? null : featureRef(featureId),
		baseCharge: charge.billingModel === "FLAT_FEE" && !sold.isAddon,
		...(price && { amount: toWire(price.amount), currency: price.currency }),
		...(billingCountryCode !== null && { billingCountryCode }),
		...(blockSize !== null && { blockSize: toWire(blockSize) }),
		...(tiers && {
			tiers: tiers.map(({ upTo, unitPrice, flatPrice }) => ({
				...(flatPrice && { flatPrice: viewAmount(flatPrice) }),
				...(unitPrice && { unitPrice: viewAmount(unitPrice) }),
				...(upTo !== null && { upTo: toWire(upTo) }),
			})),
		}),
	};
}

const viewLatestInvoice = (invoice: InvoiceRow): LatestInvoice => ({
	billingId: invoice.id,
	status: invoice.state,
	requiresAction: false,
	amountDue: invoice.state === "OPEN" ? toWire(invoice.total) : 0,
	billingReason: invoice.billingReason,
	currency: invoice.currency,
	// There is no durable URL of a document: it is fetched through the PDF endpoints.
	pdfUrl: null,
	total: toWire(invoice.total),
	createdAt: toIso(invoice.createdAt),
});
