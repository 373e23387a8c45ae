import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { ensureResource, getCustomer, getCustomerById } from "../../customers/operations";
import { defaultPayerId } from "../../customers/parents/rules";
import { assertNotArchived } from "../../customers/rules";
import { moveCredits } from "../credits/grant-recurring";
import { assertMayEnd, assertNotAwaitingPayment } from "../rules.status";
import type { SubscriptionDelegate, SubscriptionTransfer } from "../schema";
import { changeSubscription } from "../store";
import type { SubscriptionRow } from "../table";
import { changeTermsOfSuccessors } from "../terms/customer-terms";
import { saleOf } from "../terms/subscription-sale";
import { currentSubscriptionsFor, excluding } from "./current";
import { cancelPendingReplacements } from "./end";

/**
 * Moves a subscription to another resource of its customer, for products with several subscriptions.
 * Throws InvalidArgumentError for other products; DuplicatedEntityNotAllowed if one is active, paused, in trial, or waits for its
 * payment on that resource; InvalidSubscriptionStatus for a subscription that waits for its first payment.
 */
export function transfer(
	work: Work,
	row: SubscriptionRow,
	{ destinationResourceId }: SubscriptionTransfer,
): SubscriptionRow {
	assertMayEnd(row, work.now);
	assertNotAwaitingPayment(row);
	const sale = saleOf(work, row);
	if (!sale.product.multipleSubscriptions)
		throw fail(
			"InvalidArgumentError",
			`The product '${sale.product.refId}' allows one subscription for each customer, so it belongs to no resource.`,
		);
	assertNotArchived(getCustomerById(work, row.customerId));
	const current = excluding(currentSubscriptionsFor(work, row.customerId, destinationResourceId, sale), row);
	const taken =
		row.status === "IN_TRIAL"
			? current.trial
			: (current.active ??
				current.paused ??
				current.waiting.find((one) => one.status === "PAYMENT_PENDING" && one.resourceId !== row.resourceId));
	if (taken)
		throw fail(
			"DuplicatedEntityNotAllowed",
			`The resource '${destinationResourceId}' has the subscription '${taken.refId}' to this product; cancel that first.`,
		);
	const resource = ensureResource(work, row.customerId, destinationResourceId);
	if (resource.id !== row.resourceId) cancelPendingReplacements(work, row);
	const moved = changeSubscription(work, row, { resourceId: resource.id });
	moveCredits(work, moved);
	return moved;
}

/** Changes the payer from the next invoice on. Throws CustomerNotFound, EntityIsArchivedError. */
export function delegate(
	work: Work,
	row: SubscriptionRow,
	{ targetCustomerId }: SubscriptionDelegate,
): SubscriptionRow {
	assertMayEnd(row, work.now);
	const payer = getCustomer(work, targetCustomerId);
	assertNotArchived(payer);
	// A customer that bills to its parent pays only for subscriptions that name it.
	const payingCustomerId = payer.id === defaultPayerId(getCustomerById(work, row.customerId)) ? null : payer.id;
	changeTermsOfSuccessors(work, row, () => ({ payingCustomerId }));
	// The former payer was charged before, so no change can be dated before.
	return changeSubscription(work, row, { payingCustomerId, termsChangedAt: work.now });
}
