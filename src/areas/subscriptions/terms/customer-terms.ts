import { toDecimal } from "../../../kernel/decimal";
import type { Work } from "../../../kernel/work";
import type { SubscriptionProvision } from "../schema.provision";
import type { SubscriptionUpdate } from "../schema.update";
import { changeSubscription, selectSuccessors } from "../store";
import type { SubscriptionRow } from "../table";
import { budgetOf } from "./requested-terms";

/**
 * What is agreed with the customer rather than with the plan; its coupons belong to it too. A change of plan changes none of
 * it unless the call says so.
 */
export type CustomerTerms = Pick<
	SubscriptionRow,
	| "payingCustomerId"
	| "paymentCollectionMethod"
	| "taxPercentage"
	| "invoiceDaysUntilDue"
	| "billingDetails"
	| "budget"
	| "metadata"
	| "salesforceId"
>;

const noTerms: CustomerTerms = {
	payingCustomerId: null,
	paymentCollectionMethod: null,
	taxPercentage: null,
	invoiceDaysUntilDue: null,
	billingDetails: null,
	budget: null,
	metadata: {},
	salesforceId: null,
};

/**
 * Of a new subscription: what the call names, and for the rest what holds for the one that it replaces.
 * `payingCustomerId` is the row id; undefined where the call names nobody.
 */
export function customerTermsOf(
	input: SubscriptionProvision,
	payingCustomerId: string | null | undefined,
	previous: CustomerTerms = noTerms,
): CustomerTerms {
	const { billingInformation, budget, metadata, paymentCollectionMethod, salesforceId } = input;
	const {
		integrationId: _,
		invoiceDaysUntilDue,
		isInvoicePaid: __,
		taxPercentage,
		...details
	} = billingInformation ?? {};
	// That one start was backdated says nothing of the next one.
	const { isBackdated: ___, ...keptDetails } = previous.billingDetails ?? {};
	return {
		payingCustomerId: named(payingCustomerId, previous.payingCustomerId),
		paymentCollectionMethod: named(paymentCollectionMethod, previous.paymentCollectionMethod),
		taxPercentage: taxPercentage === undefined ? previous.taxPercentage : toDecimal(taxPercentage),
		invoiceDaysUntilDue: named(invoiceDaysUntilDue, previous.invoiceDaysUntilDue),
		billingDetails: billingInformation || previous.billingDetails ? { ...keptDetails, ...details } : null,
		budget: budget === undefined ? previous.budget : budgetOf(budget),
		metadata: named(metadata, previous.metadata),
		salesforceId: named(salesforceId, previous.salesforceId),
	};
}

const named = <T>(asked: T | undefined, kept: T): T => (asked === undefined ? kept : asked);

/** What an update says of them. */
export function changedTerms(
	{ billingDetails }: Pick<CustomerTerms, "billingDetails">,
	{ billingInformation, budget, metadata, salesforceId }: SubscriptionUpdate,
): Partial<CustomerTerms> {
	const {
		integrationId: _,
		couponId: __,
		isInvoicePaid: ___,
		invoiceDaysUntilDue,
		taxPercentage,
		...details
	} = billingInformation ?? {};
	return {
		...(metadata && { metadata }),
		...(salesforceId !== undefined && { salesforceId }),
		...(budget !== undefined && { budget: budgetOf(budget) }),
		...(invoiceDaysUntilDue !== undefined && { invoiceDaysUntilDue }),
		...(taxPercentage !== undefined && { taxPercentage: toDecimal(taxPercentage) }),
		...(billingInformation && { billingDetails: { ...billingDetails, ...details } }),
	};
}

/**
 * What changes for a subscription changes for the plan that waits to replace it too, but for what that one was sold with
 * by name. `before` is how the subscription was; the changes are calculated for each that waits.
 */
export function changeTermsOfSuccessors(
	work: Work,
	before: SubscriptionRow,
	changesOf: (waiting: SubscriptionRow) => Partial<CustomerTerms>,
): void {
	const held = columnsOf(before);
	for (const waiting of selectSuccessors(work, [before.id])) {
		const own = columnsOf(waiting);
		// The billing details are made of parts, each of which was named or was not: those of the change are the newest.
		const changes = Object.entries(changesOf(waiting)).filter(
			([name]) => name === "billingDetails" || Bun.deepEquals(own.get(name), held.get(name)),
		);
		if (changes.length > 0) changeSubscription(work, waiting, Object.fromEntries(changes));
	}
}

const columnsOf = (row: SubscriptionRow) => new Map<string, unknown>(Object.entries(row));
