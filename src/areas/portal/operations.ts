import { toIso } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { updateCustomer } from "../customers/operations";
import type { CustomerRow } from "../customers/table";
import type { Offer } from "../packages/rules.offer";
import {
	buyerOf,
	cancelSubscription,
	getSubscription,
	heldCurrency,
	provisionSubscription,
	updateSubscription,
} from "../subscriptions/operations";
import {
	type ShownPreview,
	type ShownSubscription,
	shownPreview,
	shownSubscriptions,
	shownUpdatePreview,
} from "../subscriptions/operations.shown";
import type { SubscriptionProvision } from "../subscriptions/schema.provision";
import type { SubscriptionUpdate } from "../subscriptions/schema.update";
import type { SubscriptionRow } from "../subscriptions/table";
import { viewOffers } from "./offers";
import { offeredFor } from "./operations.offered";
import { ownSession } from "./operations.sessions";
import { settingsOf } from "./operations.settings";
import { allowedOf, assertMay, assertMayKeep, cancellationTimeOf, changesIn, offerChanged, withBilling } from "./rules";
import { assertOffered, offerOf } from "./rules.offer";
import type { BillingUpdate, PortalChange, PortalOptions, PortalPreview, PortalSettings } from "./schema";

/** A subscription of the caller, and the changes that the caller may make. */
export interface OwnSubscription {
	readonly shown: ShownSubscription;
	readonly allowed: PortalSettings;
}

/** Like `getSubscription`, but does not reveal subscriptions of other customers. */
function ownSubscription(work: Work, customer: CustomerRow, refId: string): OwnSubscription {
	const row = getSubscription(work, refId);
	const [shown] = row.customerId === customer.id ? withAllowed(work, [row]) : [];
	if (!shown) throw fail("SubscriptionNotFound", `There is no subscription '${refId}' in this environment.`);
	return shown;
}

/** Adds the changes that the customer may make to each. */
export function withAllowed(work: Work, rows: readonly SubscriptionRow[]): OwnSubscription[] {
	const settings = settingsOf(work, [...new Set(rows.map(({ productId }) => productId))]);
	return shownSubscriptions(work, rows).map((shown) => ({
		shown,
		allowed: allowedOf(shown, settings(shown.row.productId)),
	}));
}

/** Lists the plans and addons that a subscription may be changed to. Throws SubscriptionNotFound. */
export function readOptions(work: Work, refId: string): PortalOptions {
	const { customer } = ownSession(work);
	const own = ownSubscription(work, customer, refId);
	const { plans, addons } = offeredFor(work, customer, own);
	const held = heldCurrency(work, own.shown.row)?.currency;
	const offer: Offer = {
		buyer: buyerOf(customer, own.shown.row.billingCountryCode),
		preferred: held === undefined ? [] : [held],
		widget: "CUSTOMER_PORTAL",
	};
	return { plans: viewOffers(work, plans, offer), addons: viewOffers(work, addons, offer) };
}

/** Calculates what a change costs and when it takes effect, and changes nothing. Throws the errors of `changeOwn`. */
export function previewChange(work: Work, refId: string, change: PortalChange): PortalPreview {
	const { customer } = ownSession(work);
	const own = ownSubscription(work, customer, refId);
	assertMayChange(work, customer, own, change);
	const previewed = previewOf(work, customer, own, change);
	return { ...previewed.preview, offer: offerOf(previewed.preview), takesEffectAt: toIso(previewed.at) };
}

/**
 * Changes a subscription. Another plan is a new sale, which replaces the subscription. Throws SubscriptionNotFound;
 * AccessDeniedError for changes that customers may not make; PlanNotFound or AddonNotFound for plans and addons that are not
 * offered. Throws InvalidArgumentError if the offer differs from the one shown, and the errors of the sale or update.
 */
export function changeOwn(work: Work, refId: string, { offer, ...change }: PortalChange): SubscriptionRow {
	const { customer } = ownSession(work);
	const own = ownSubscription(work, customer, refId);
	assertMayChange(work, customer, own, change);
	if (offer !== undefined && offer !== offerOf(previewOf(work, customer, own, change).preview)) throw offerChanged();
	const { sale, update } = termsOf(customer, own, change);
	return sale ? provisionSubscription(work, sale) : updateSubscription(work, refId, update);
}

/**
 * Throws AccessDeniedError for changes that the product forbids, and PlanNotFound or AddonNotFound for plans and addons that it
 * does not offer.
 */
function assertMayChange(work: Work, customer: CustomerRow, own: OwnSubscription, change: PortalChange): void {
	const { shown, allowed } = own;
	const current = {
		planId: shown.plan.refId,
		billingPeriod: shown.row.billingPeriod,
		quantities: shown.quantities,
		addons: shown.view.addons,
	};
	for (const one of changesIn(change, current)) assertMay(allowed, one);
	assertOffered(change, current, offeredFor(work, customer, own));
}

function previewOf(work: Work, customer: CustomerRow, own: OwnSubscription, change: PortalChange): ShownPreview {
	const { sale, update } = termsOf(customer, own, change);
	return sale ? shownPreview(work, sale) : shownUpdatePreview(work, own.shown.row.refId, update);
}

type Sale = Pick<
	SubscriptionProvision,
	"customerId" | "planId" | "billingPeriod" | "billingInterval" | "charges" | "addons"
> & {
	readonly resourceId?: string;
};

/** Omitted terms stay unchanged, if the other plan has them. */
function termsOf(
	customer: CustomerRow,
	{ shown }: OwnSubscription,
	{ planId, billingPeriod, billingInterval, quantities, addons }: PortalChange,
): { readonly sale: Sale | undefined; readonly update: SubscriptionUpdate } {
	const charges = quantities?.map(({ featureId, quantity }) => ({ type: "FEATURE" as const, id: featureId, quantity }));
	const terms = {
		...(billingPeriod !== undefined && { billingPeriod }),
		...(billingInterval && { billingInterval }),
		...(charges && { charges }),
		...(addons && { addons }),
	};
	const { resourceId } = shown.view;
	if (planId === undefined || planId === shown.plan.refId) return { sale: undefined, update: terms };
	return {
		sale: {
			customerId: customer.refId,
			planId,
			addons: shown.view.addons,
			...terms,
			...(resourceId !== null && { resourceId }),
		},
		update: terms,
	};
}

/** Cancels at the end of the paid period if the product allows it, else at once. Throws SubscriptionNotFound, AccessDeniedError. */
export function cancelOwn(work: Work, refId: string): SubscriptionRow {
	const { customer } = ownSession(work);
	const { shown, allowed } = ownSubscription(work, customer, refId);
	assertMay(allowed, "cancel");
	const at = cancellationTimeOf(shown.row, shown.product.settings);
	return cancelSubscription(work, refId, { cancellationTime: at === "NOW" ? "IMMEDIATE" : at });
}

/** Undoes the customer's own cancellation before it takes effect. Throws SubscriptionNotFound, AccessDeniedError. */
export function keepOwn(work: Work, refId: string): SubscriptionRow {
	const { customer } = ownSession(work);
	const { shown, allowed } = ownSubscription(work, customer, refId);
	assertMayKeep(shown.row);
	assertMay(allowed, "cancel");
	return updateSubscription(work, refId, { cancellationDate: null });
}

/** Updates the caller's name, email, address and tax numbers. Throws InvalidAddressError, InvalidTaxId. */
export function updateOwnBilling(work: Work, changes: BillingUpdate): CustomerRow {
	const { customer } = ownSession(work);
	return updateCustomer(work, customer.refId, withBilling(customer, changes));
}
