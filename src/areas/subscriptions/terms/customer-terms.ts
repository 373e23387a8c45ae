import type { Instant } from "../../../kernel/clock";
import type { Work } from "../../../kernel/work";
import { storedThresholds } from "../../pricing/rules.spend-thresholds";
import { keptZoneOf } from "../rules";
import type { SubscriptionProvision } from "../schema.provision";
import type { SubscriptionUpdate } from "../schema.update";
import { changeSubscription, selectSuccessors } from "../store";
import type { SubscriptionRow } from "../table";
import { budgetOf } from "./requested-terms";
import { childUsageAfter, includesChildUsage } from "./rules.child-usage";
import { taxColumns } from "./taxes";

/**
 * The terms that are agreed with the customer, in addition to its coupons. A change of plan keeps them unless the call
 * names them.
 */
export type CustomerTerms = Pick<
	SubscriptionRow,
	| "payingCustomerId"
	| "paymentCollectionMethod"
	| "taxPercentage"
	| "taxes"
	| "invoiceDaysUntilDue"
	| "childUsage"
	| "prorationMode"
	| "billingAnchor"
	| "timeZone"
	| "spendThresholds"
	| "nextCycle"
	| "billingDetails"
	| "budget"
	| "metadata"
	| "salesforceId"
>;

const noTerms: CustomerTerms & Charged = {
	billingAnchorAt: null,
	payingCustomerId: null,
	paymentCollectionMethod: null,
	taxPercentage: null,
	taxes: null,
	invoiceDaysUntilDue: null,
	childUsage: null,
	prorationMode: null,
	billingAnchor: null,
	timeZone: null,
	spendThresholds: null,
	nextCycle: null,
	billingDetails: null,
	budget: null,
	metadata: {},
	salesforceId: null,
};

/** Whether a subscription is charged, so that its zone is fixed. */
type Charged = Pick<SubscriptionRow, "billingAnchorAt">;

/**
 * Returns the terms of a new subscription: those that the call names, and the rest of the replaced subscription.
 * `payingCustomerId` is the row id; undefined if the call names no payer.
 */
export function customerTermsOf(
	input: SubscriptionProvision,
	payingCustomerId: string | null | undefined,
	previous: CustomerTerms & Charged = noTerms,
): CustomerTerms {
	const { billingInformation, budget, metadata, paymentCollectionMethod, prorationMode, salesforceId } = input;
	const {
		integrationId: _,
		invoiceDaysUntilDue,
		isInvoicePaid: __,
		taxPercentage: ____,
		taxRateIds: _____,
		...details
	} = billingInformation ?? {};
	// A backdated start does not apply to the next subscription.
	const { isBackdated: ___, ...keptDetails } = previous.billingDetails ?? {};
	return {
		payingCustomerId: named(payingCustomerId, previous.payingCustomerId),
		paymentCollectionMethod: named(paymentCollectionMethod, previous.paymentCollectionMethod),
		taxPercentage: previous.taxPercentage,
		taxes: previous.taxes,
		...taxColumns(input),
		invoiceDaysUntilDue: named(invoiceDaysUntilDue, previous.invoiceDaysUntilDue),
		childUsage: (input.includesChildUsage ?? includesChildUsage(previous)) ? [{ start: null, end: null }] : null,
		prorationMode: named(prorationMode, previous.prorationMode),
		billingAnchor: named(input.billingAnchor, previous.billingAnchor),
		timeZone: named(input.timeZone, keptZoneOf(previous)),
		nextCycle: null,
		spendThresholds: named(input.spendThresholds && storedThresholds(input.spendThresholds), previous.spendThresholds),
		billingDetails: billingInformation || previous.billingDetails ? { ...keptDetails, ...details } : null,
		budget: budget === undefined ? previous.budget : budgetOf(budget),
		metadata: named(metadata, previous.metadata),
		salesforceId: named(salesforceId, previous.salesforceId),
	};
}

const named = <T>(asked: T | undefined, kept: T): T => (asked === undefined ? kept : asked);

/** Returns the terms that an update changes now. */
export function changedTerms(
	{ billingDetails, childUsage }: Pick<CustomerTerms, "billingDetails" | "childUsage">,
	changes: SubscriptionUpdate,
	now: Instant,
): Partial<CustomerTerms> {
	const { billingInformation, budget, metadata, prorationMode, salesforceId, spendThresholds } = changes;
	const {
		integrationId: _,
		couponId: __,
		isInvoicePaid: ___,
		invoiceDaysUntilDue,
		taxPercentage: ____,
		taxRateIds: _____,
		...details
	} = billingInformation ?? {};
	return {
		...(metadata && { metadata }),
		...childUsageAfter({ childUsage }, changes.includesChildUsage, now),
		...(prorationMode !== undefined && { prorationMode }),
		...(spendThresholds !== undefined && { spendThresholds: spendThresholds && storedThresholds(spendThresholds) }),
		...(salesforceId !== undefined && { salesforceId }),
		...(budget !== undefined && { budget: budgetOf(budget) }),
		...(invoiceDaysUntilDue !== undefined && { invoiceDaysUntilDue }),
		...taxColumns(changes),
		...(billingInformation && { billingDetails: { ...billingDetails, ...details } }),
	};
}

/**
 * Applies a change to the scheduled successors of a subscription too, except for terms that a successor was sold with
 * by name. `before` is the subscription before the change.
 */
export function changeTermsOfSuccessors(
	work: Work,
	before: SubscriptionRow,
	changesOf: (waiting: SubscriptionRow) => Partial<CustomerTerms>,
): void {
	const held = columnsOf(before);
	for (const waiting of selectSuccessors(work, [before.id])) {
		const own = columnsOf(waiting);
		// Billing details are merged field by field, and the change has the newest values.
		const changes = Object.entries(changesOf(waiting)).filter(
			([name]) => name === "billingDetails" || Bun.deepEquals(own.get(name), held.get(name)),
		);
		if (changes.length > 0) changeSubscription(work, waiting, Object.fromEntries(changes));
	}
}

const columnsOf = (row: SubscriptionRow) => new Map<string, unknown>(Object.entries(row));
