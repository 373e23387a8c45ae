import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { findResource } from "../../customers/operations";
import { countRunning, selectCurrent } from "../store.of-customers";
import type { SubscriptionRow } from "../table";
import type { Sale } from "../terms/sale";

/** The interface names the error but no number. This limit bounds the work of an entitlement read. */
export const runningPerCustomerMax = 1000;

/**
 * The unended subscriptions of a customer to a product, or to one resource where the product allows several: at most
 * one active or paused and one in trial, and those that wait for their start or payment (docs/interface/subscriptions.md).
 */
export interface CurrentSubscriptions {
	readonly active: SubscriptionRow | undefined;
	/** It keeps its slot: no other subscription takes it. */
	readonly paused: SubscriptionRow | undefined;
	readonly trial: SubscriptionRow | undefined;
	readonly waiting: readonly SubscriptionRow[];
}

/** `resourceRef` is the caller's id. Throws TooManySubscriptionsPerCustomer. */
export function currentSubscriptionsFor(
	work: Work,
	customerId: string,
	resourceRef: string | null,
	sale: Pick<Sale, "product">,
): CurrentSubscriptions {
	const resourceId = resourceRef === null ? null : (findResource(work, customerId, resourceRef)?.id ?? "");
	return currentSubscriptionsOf(work, { customerId, resourceId }, sale);
}

/** `resourceId` is the row id. */
export function currentSubscriptionsOf(
	work: Work,
	{ customerId, resourceId }: Pick<SubscriptionRow, "customerId" | "resourceId">,
	{ product }: Pick<Sale, "product">,
): CurrentSubscriptions {
	if (countRunning(work, customerId) >= runningPerCustomerMax)
		throw fail(
			"TooManySubscriptionsPerCustomer",
			`A customer may have ${runningPerCustomerMax} running subscriptions, and this one has them; cancel one first.`,
		);
	const anyResource = !product.multipleSubscriptions;
	const rows = selectCurrent(work, { customerId, productId: product.id, resourceId, anyResource });
	return {
		active: rows.find(({ status }) => status === "ACTIVE"),
		paused: rows.find(({ status }) => status === "PAUSED"),
		trial: rows.find(({ status }) => status === "IN_TRIAL"),
		waiting: rows.filter(({ status }) => status === "NOT_STARTED" || status === "PAYMENT_PENDING"),
	};
}

/** Throws InvalidSubscriptionStatus. */
export function assertNonePaused({ paused }: CurrentSubscriptions): void {
	if (paused)
		throw fail(
			"InvalidSubscriptionStatus",
			`The subscription '${paused.refId}' of this product is PAUSED and keeps its place; resume or cancel it first.`,
		);
}

/** Excludes the row itself. */
export const excluding = (current: CurrentSubscriptions, { id }: SubscriptionRow): CurrentSubscriptions => ({
	active: current.active?.id === id ? undefined : current.active,
	paused: current.paused?.id === id ? undefined : current.paused,
	trial: current.trial?.id === id ? undefined : current.trial,
	waiting: current.waiting.filter((row) => row.id !== id),
});
