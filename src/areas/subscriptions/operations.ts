import { fail } from "../../kernel/errors";
import type { Page } from "../../kernel/page";
import { assertSupported } from "../../kernel/unsupported";
import type { Work } from "../../kernel/work";
import { findCustomer, getCustomer, resourcesByRef } from "../customers/operations";
import { packagesByRefs } from "../packages/operations";
import { currencyOfCharge } from "../pricing/models/charge";
import { type ChargedUsage, chargeUsage } from "./billing/usage-charge";
import { cancel } from "./lifecycle/cancel";
import { convertTrial } from "./lifecycle/end-trial";
import { cancelScheduled, cancelUnpaidUpdates } from "./lifecycle/future-updates";
import { runDueSteps } from "./lifecycle/operations.due";
import { payLatestInvoice } from "./lifecycle/operations.payment";
import { pause } from "./lifecycle/pause";
import { type Provisioned, provision } from "./lifecycle/provision";
import { resume } from "./lifecycle/resume";
import { delegate, transfer } from "./lifecycle/transfer";
import { update } from "./lifecycle/update";
import { pageSubscriptions } from "./lists/store";
import { type CountQuery, countNow } from "./lists/store.counts";
import type {
	SubscriptionCancel,
	SubscriptionDelegate,
	SubscriptionListQuery,
	SubscriptionMigrate,
	SubscriptionPause,
	SubscriptionResume,
	SubscriptionTransfer,
	UsageCharge,
} from "./schema";
import type { SubscriptionProvision } from "./schema.provision";
import type { SubscriptionUpdate } from "./schema.update";
import { changeSubscription, selectByIds, selectByRef } from "./store";
import { type LiveCount, selectLiveCounts } from "./store.of-customers";
import type { SubscriptionRow } from "./table";
import { buyerOf } from "./terms/buyer";
import { heldCurrency } from "./terms/held-currency";
import { unsupportedInSale } from "./terms/rules.unsupported";
import { saleOf } from "./terms/subscription-sale";
import { migrateOne } from "./versions/migrate-one";

export { buyerOf, heldCurrency };

/** Throws SubscriptionNotFound. */
export function getSubscription(work: Work, refId: string): SubscriptionRow {
	const subscription = selectByRef(work, refId);
	if (!subscription) throw fail("SubscriptionNotFound", `There is no subscription '${refId}' in this environment.`);
	return subscription;
}

/** Row id → row. */
export const subscriptionsByIds = (work: Work, ids: readonly string[]): Map<string, SubscriptionRow> =>
	new Map(selectByIds(work, ids).map((subscription) => [subscription.id, subscription]));

/** Counts by status, pricing type and the plans' own ids, from the stored counts. */
export const countSubscriptions = (work: Work, { planIds, ...query }: CountQuery): number =>
	countNow(work, {
		...query,
		planIds: planIds && [...packagesByRefs(work, "PLAN", planIds).values()].map(({ id }) => id),
	});

/** An unknown id in the query finds nothing. */
export function listSubscriptions(work: Work, query: SubscriptionListQuery): Page<SubscriptionRow> {
	const { customerId, planId, resourceId } = query;
	return pageSubscriptions(work, query, {
		customerId: customerId === undefined ? undefined : (findCustomer(work, customerId)?.id ?? ""),
		planId: planId === undefined ? undefined : (packagesByRefs(work, "PLAN", [planId]).get(planId)?.id ?? ""),
		resourceIds:
			resourceId === undefined
				? undefined
				: resourceId === ""
					? null
					: resourcesByRef(work, resourceId).map(({ id }) => id),
	});
}

/** Counts the subscriptions that give access now, by the customer's row id and by pricing type. */
export const liveCountsOf = (work: Work, customerIds: readonly string[]): Map<string, LiveCount[]> =>
	Map.groupBy(selectLiveCounts(work, customerIds), ({ customerId }) => customerId);

/**
 * Returns the currencies of a subscription's prices, overrides and minimum spend included; none if nothing is priced.
 */
export function currenciesOf(work: Work, subscription: SubscriptionRow): string[] {
	const { prices } = saleOf(work, subscription);
	const named = [...prices.map(({ charge }) => currencyOfCharge(charge)), subscription.minimumSpend?.currency];
	return [...new Set(named.filter((currency) => currency !== undefined))];
}

/**
 * Provisions a subscription after running the customer's due steps, as every change of a subscription does. For its
 * codes see `provision`; also CustomerNotFound and the codes of unsupported parameters.
 */
export const provisionSubscription = (work: Work, input: SubscriptionProvision): SubscriptionRow =>
	provisionUpToDate(work, input).subscription;

/** Provisions a subscription, and also returns its bill and its sale. */
export function provisionUpToDate(work: Work, input: SubscriptionProvision): Provisioned {
	assertSupported(input, unsupportedInSale);
	const customer = getCustomer(work, input.customerId);
	runDueSteps(work, customer.id);
	return provision(work, customer, input);
}

/** Returns a subscription after running its customer's due steps. Throws SubscriptionNotFound. */
export function changeable(work: Work, refId: string): SubscriptionRow {
	runDueSteps(work, getSubscription(work, refId).customerId);
	return getSubscription(work, refId);
}

// Each of these is one call of the interface. SubscriptionNotFound, and the codes of the operation itself.

export const updateSubscription = (work: Work, refId: string, input: SubscriptionUpdate): SubscriptionRow =>
	update(work, changeable(work, refId), input).subscription;

export const cancelSubscription = (work: Work, refId: string, input: SubscriptionCancel): SubscriptionRow =>
	cancel(work, changeable(work, refId), input);

/** Converts a trial to a paid subscription now. */
export const endSubscriptionTrial = (work: Work, refId: string): SubscriptionRow =>
	convertTrial(work, changeable(work, refId)).subscription;

export const pauseSubscription = (work: Work, refId: string, input: SubscriptionPause): SubscriptionRow =>
	pause(work, changeable(work, refId), input).subscription;

export const resumeSubscription = (work: Work, refId: string, input: SubscriptionResume): SubscriptionRow =>
	resume(work, changeable(work, refId), input).subscription;

export const migrateSubscription = (work: Work, refId: string, input: SubscriptionMigrate): SubscriptionRow =>
	migrateOne(work, changeable(work, refId), input);

export const transferSubscription = (work: Work, refId: string, input: SubscriptionTransfer): SubscriptionRow =>
	transfer(work, changeable(work, refId), input);

export const delegateSubscription = (work: Work, refId: string, input: SubscriptionDelegate): SubscriptionRow =>
	delegate(work, changeable(work, refId), input);

export const cancelScheduledUpdates = (work: Work, refId: string): SubscriptionRow =>
	cancelScheduled(work, changeable(work, refId));

export const cancelPendingPayment = (work: Work, refId: string): SubscriptionRow =>
	cancelUnpaidUpdates(work, changeable(work, refId));

export const chargeSubscriptionUsage = (work: Work, refId: string, input: UsageCharge): ChargedUsage =>
	chargeUsage(work, changeable(work, refId), input);

/** Marks the latest invoice as paid. Throws MissingBillingInvoiceError, BillingInvoiceStatusError. */
export function paySubscription(work: Work, refId: string): SubscriptionRow {
	const row = changeable(work, refId);
	payLatestInvoice(work, row);
	return row;
}

/**
 * Tollgate bills usage itself, so there is no provider to send it to (docs/interface/subscriptions.md).
 * Throws SubscriptionNotFound.
 */
export function syncUsage(work: Work, refId: string): { triggered: boolean } {
	getSubscription(work, refId);
	return { triggered: false };
}

/** Adds a subscription to a contract, or removes it (null). `id` is the contract's row id, `refId` its external id. */
export const setContract = (
	work: Work,
	subscription: SubscriptionRow,
	contract: { readonly id: string; readonly refId: string } | null,
): SubscriptionRow =>
	changeSubscription(work, subscription, {
		contractId: contract?.id ?? null,
		contractRefId: contract?.refId ?? null,
		termsChangedAt: work.now,
	});
