import { toIso } from "../../kernel/clock";
import { dryRun } from "../../kernel/dry-run";
import { assert, fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { getCustomer, updateCustomer } from "../customers/operations";
import { assertNotArchived } from "../customers/rules";
import type { CustomerRow } from "../customers/table";
import { getPublishedVersion } from "../packages/operations";
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
 * Keeps an order for its customer to confirm, by a link. What could not be sold now is refused now: CustomerNotFound,
 * EntityIsArchivedError, and the codes of provisioning.
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
	const asked = { allowPromoCodes, collectBillingAddress, allowTaxIdCollection };
	const options = { successUrl, cancelUrl, ...asked, referenceId };
	assertMayDelegate(work.actor, ["SUBSCRIPTION:WRITE", "CUSTOMER:WRITE"]);
	const customer = getCustomer(work, customerId);
	assertNotArchived(customer);
	shownPreview(work, saleOf(customer, { order }, undefined));
	const started = startSession(work, customer, {
		kind: "CHECKOUT",
		minutes: expiresInMinutes ?? checkoutMinutesDefault,
		returnUrl: cancelUrl,
	});
	const { id, expiresAt } = started.session;
	return {
		...started,
		checkout: insertCheckout(work, { sessionId: id, customerId: customer.id, order, options, expiresAt }),
	};
}

/** Undefined when there is none of that id. */
export const findStartedCheckout = (work: Work, id: string): CheckoutRow | undefined => findCheckout(work, id);

/** The subscription that it came to, by the caller's id. */
export const subscriptionOf = (work: Work, { subscriptionId }: CheckoutRow): string | null =>
	subscriptionId === null ? null : (subscriptionsByIds(work, [subscriptionId]).get(subscriptionId)?.refId ?? null);

export const checkoutStatus = ({ completedAt, expiresAt }: CheckoutRow, { machineNow }: Work): CheckoutStatus =>
	completedAt !== null ? "COMPLETED" : expiresAt <= machineNow ? "EXPIRED" : "OPEN";

/** The caller's order, as its page shows it. Where it cannot be sold any more, the codes of provisioning say why. */
export function readCheckout(work: Work): Checkout {
	const { customer, checkout } = ownCheckout(work);
	const { order, options } = checkout;
	const status = checkoutStatus(checkout, work);
	const isDone = status === "COMPLETED";
	const offer = { buyer: buyerOf(customer, order.billingCountryCode), widget: "CHECKOUT" } as const;
	const [plan] = viewOffers(work, [getPublishedVersion(work, "PLAN", order.planId)], offer);
	assert(plan, "one version is one offer");
	return {
		status,
		plan,
		addons: (order.addons ?? []).map(({ id, quantity }) => ({
			id,
			quantity,
			displayName: getPublishedVersion(work, "ADDON", id).displayName,
		})),
		billingPeriod: order.billingPeriod ?? null,
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

/** What the order costs with what the customer says of itself; nothing is kept. CouponNotFound, InvalidTaxId, InvalidAddressError. */
export function previewCheckout(work: Work, details: CheckoutDetails): CheckoutPreview {
	const { customer, checkout } = ownCheckout(work);
	assertOpen(work, checkout);
	return dryRun(work, () =>
		rehearse(work, stateDetails(work, customer, checkout, details), checkout, details.couponId),
	);
}

/**
 * Sells the order and keeps what the customer says of itself, all or nothing. Confirmed again, it answers the same and does
 * nothing: the checkout is completed in the transaction of the sale. The codes of `previewCheckout` and of provisioning.
 */
export function confirmCheckout(work: Work, { offer, ...details }: CheckoutConfirm): CheckoutConfirmed {
	const { customer, checkout } = ownCheckout(work);
	const { successUrl, collectBillingAddress } = checkout.options;
	const done = subscriptionOf(work, checkout);
	if (done !== null) return { subscriptionId: done, successUrl };
	assertOpen(work, checkout);
	if (collectBillingAddress) assertCompleteAddress(details.address);
	const stated = stateDetails(work, customer, checkout, details);
	if (rehearse(work, stated, checkout, details.couponId).offer !== offer) throw offerChanged();
	const sold = provisionSubscription(work, saleOf(stated, checkout, details.couponId));
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
		throw fail("InvalidArgumentError", "This order has been confirmed already, or its time is over; begin anew.");
}

/** Prices and invoices go by what the customer is, so what it says is stated before the sale. */
function stateDetails(
	work: Work,
	customer: CustomerRow,
	{ options }: CheckoutRow,
	{ name, email, address, taxId, couponId }: CheckoutDetails,
): CustomerRow {
	if (couponId !== undefined && !options.allowPromoCodes)
		throw fail("CouponNotFound", "This order takes no codes; leave 'couponId' out.");
	if (taxId && !options.allowTaxIdCollection)
		throw fail("InvalidTaxId", "This order takes no tax numbers; leave 'taxId' out.");
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

function rehearse(
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

/** A code that the customer enters goes before the discount that the order has. */
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
