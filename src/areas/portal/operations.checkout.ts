import { toIso } from "../../kernel/clock";
import { dryRun } from "../../kernel/dry-run";
import { assert, fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { getCustomer, updateCustomer } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import type { CustomerRow } from "../customers/table";
import { getPublishedVersion } from "../packages/operations";
import { requestedPeriod } from "../pricing/requested-period";
import { viewBillingPeriod } from "../pricing/rules.billing-period";
import { buyerOf, getSubscription, provisionSubscription, subscriptionsByIds } from "../subscriptions/operations";
import { shownPreview } from "../subscriptions/operations.shown";
import { viewOffers } from "./offers";
import { assertMayDelegate, ownSession, type StartedSession, startSession } from "./operations.sessions";
import { assertCompleteAddress, billingOf, offerChanged, withBilling } from "./rules";
import { offerOf } from "./rules.offer";
import {
	type Checkout,
	type CheckoutConfirm,
	type CheckoutConfirmed,
	type CheckoutCreate,
	type CheckoutDetails,
	type CheckoutPreview,
	type CheckoutStatus,
	checkoutMinutesDefault,
} from "./schema.checkout";
import { completeCheckout, findCheckout, findCheckoutOfSession, insertCheckout } from "./store";
import type { CheckoutRow } from "./table";

/**
 * Stores an order and creates a link with which its customer confirms it. Rejects an order that cannot be sold now:
 * CustomerNotFound, EntityIsArchivedError, and the codes of provisioning.
 */
export function startCheckout(work: Work, input: CheckoutCreate): { readonly checkout: CheckoutRow } & StartedSession {
	const { customerId, expiresInMinutes, successUrl, cancelUrl, ...rest } = input;
	const {
		allowPromoCodes = false,
		collectBillingAddress = false,
		allowTaxIdCollection = false,
		referenceId = null,
		...order
	} = rest;
	const permissions = { allowPromoCodes, collectBillingAddress, allowTaxIdCollection };
	const options = { successUrl, cancelUrl, ...permissions, referenceId };
	assertMayDelegate(work.actor, ["SUBSCRIPTION:WRITE", "CUSTOMER:WRITE"]);
	const customer = getCustomer(work, customerId);
	assertNotArchived(customer);
	shownPreview(work, saleOf(customer, { order }, undefined));
	const started = startSession(work, customer, {
		kind: "CHECKOUT",
		minutes: expiresInMinutes ?? checkoutMinutesDefault,
		returnUrl: cancelUrl,
		...{ budgets: null, entityId: null, personId: null },
	});
	const { id, expiresAt } = started.session;
	return {
		...started,
		checkout: insertCheckout(work, { sessionId: id, customerId: customer.id, order, options, expiresAt }),
	};
}

export const findStartedCheckout = (work: Work, id: string): CheckoutRow | undefined => findCheckout(work, id);

/** Returns the caller's id of the subscription that the checkout created, or null. */
export const subscriptionOf = (work: Work, { subscriptionId }: CheckoutRow): string | null =>
	subscriptionId === null ? null : (subscriptionsByIds(work, [subscriptionId]).get(subscriptionId)?.refId ?? null);

export const checkoutStatus = ({ completedAt, expiresAt }: CheckoutRow, { machineNow }: Work): CheckoutStatus =>
	completedAt !== null ? "COMPLETED" : expiresAt <= machineNow ? "EXPIRED" : "OPEN";

/** Returns the caller's order for its page. Throws the errors of provisioning, if the order can no longer be sold. */
export function readCheckout(work: Work): Checkout {
	const { customer, checkout } = ownCheckout(work);
	const { order, options } = checkout;
	const status = checkoutStatus(checkout, work);
	const isDone = status === "COMPLETED";
	const offer = {
		buyer: buyerOf(customer, order.billingCountryCode),
		currency: order.billingCurrency,
		widget: "CHECKOUT",
	} as const;
	const [plan] = viewOffers(work, [getPublishedVersion(work, "PLAN", order.planId)], offer);
	assert(plan, "one version is one offer");
	const period = requestedPeriod(order, "body");
	return {
		status,
		plan,
		addons: (order.addons ?? []).map(({ id, quantity }) => ({
			id,
			quantity,
			displayName: getPublishedVersion(work, "ADDON", id).displayName,
		})),
		...(period ? viewBillingPeriod(period) : { billingPeriod: null }),
		customer: billingOf(customer),
		language: customer.language,
		allowPromoCodes: options.allowPromoCodes,
		collectBillingAddress: options.collectBillingAddress,
		allowTaxIdCollection: options.allowTaxIdCollection,
		cancelUrl: options.cancelUrl,
		successUrl: isDone ? options.successUrl : null,
		subscriptionId: subscriptionOf(work, checkout),
		expiresAt: toIso(checkout.expiresAt),
	};
}

/**
 * Calculates the cost of the order with the customer's details, and saves nothing. Throws CouponNotFound, InvalidTaxId,
 * InvalidAddressError.
 */
export function previewCheckout(work: Work, details: CheckoutDetails): CheckoutPreview {
	const { customer, checkout } = ownCheckout(work);
	assertOpen(work, checkout);
	return dryRun(work, () =>
		previewSale(work, saveDetails(work, customer, checkout, details), checkout, details.couponId),
	);
}

/**
 * Sells the order and saves the customer's details in one transaction, which also completes the checkout. A repeated confirmation
 * does nothing and returns the same result. Throws the errors of `previewCheckout` and of provisioning.
 */
export function confirmCheckout(work: Work, { offer, ...details }: CheckoutConfirm): CheckoutConfirmed {
	const { customer, checkout } = ownCheckout(work);
	const { successUrl, collectBillingAddress } = checkout.options;
	const done = subscriptionOf(work, checkout);
	if (done !== null) return { subscriptionId: done, successUrl };
	assertOpen(work, checkout);
	if (collectBillingAddress) assertCompleteAddress(details.address);
	const updated = saveDetails(work, customer, checkout, details);
	if (previewSale(work, updated, checkout, details.couponId).offer !== offer) throw offerChanged();
	const sold = provisionSubscription(work, saleOf(updated, checkout, details.couponId));
	completeCheckout(work, checkout, sold.id);
	return { subscriptionId: getSubscription(work, sold.refId).refId, successUrl };
}

function ownCheckout(work: Work): { readonly customer: CustomerRow; readonly checkout: CheckoutRow } {
	const { session, customer } = ownSession(work);
	const checkout = findCheckoutOfSession(work, session.id);
	assert(checkout, "a checkout's session has its order");
	return { customer, checkout };
}

function assertOpen(work: Work, checkout: CheckoutRow): void {
	if (checkoutStatus(checkout, work) !== "OPEN")
		throw fail("InvalidArgumentError", "This order is already confirmed or has expired; start a new checkout.");
}

/** Updates the customer with its details before the sale, because prices and invoices depend on them. */
function saveDetails(
	work: Work,
	customer: CustomerRow,
	{ options }: CheckoutRow,
	{ name, email, address, taxId, couponId }: CheckoutDetails,
): CustomerRow {
	if (couponId !== undefined && !options.allowPromoCodes)
		throw fail("CouponNotFound", "This order accepts no coupons; omit 'couponId'.");
	if (taxId && !options.allowTaxIdCollection)
		throw fail("InvalidTaxId", "This order accepts no tax numbers; omit 'taxId'.");
	const changes = {
		...(name !== undefined && { name }),
		...(email !== undefined && { email }),
		...(address && { address }),
		...(taxId && { taxIds: [taxId] }),
	};
	return Object.keys(changes).length === 0
		? customer
		: updateCustomer(work, customer.refId, withBilling(customer, changes));
}

function previewSale(
	work: Work,
	customer: CustomerRow,
	checkout: CheckoutRow,
	couponId: string | undefined,
): CheckoutPreview {
	const { immediateInvoice, recurringInvoice } = shownPreview(work, saleOf(customer, checkout, couponId)).preview;
	return {
		immediateInvoice,
		...(recurringInvoice && { recurringInvoice }),
		offer: offerOf({ immediateInvoice, ...(recurringInvoice && { recurringInvoice }) }),
	};
}

/** A coupon that the customer enters replaces the coupon of the order. */
function saleOf(
	{ refId }: CustomerRow,
	{ order: { couponId: given, resourceId, billingCountryCode, ...terms } }: Pick<CheckoutRow, "order">,
	entered: string | undefined,
) {
	const couponId = entered ?? given;
	return {
		customerId: refId,
		...terms,
		...(resourceId && { resourceId }),
		...(billingCountryCode && { billingCountryCode }),
		...(couponId !== undefined && { appliedCoupon: { couponId } }),
	};
}
