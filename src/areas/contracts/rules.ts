import { type Instant, instantOf } from "../../kernel/clock";
import { toDecimal } from "../../kernel/decimal";
import { fail, rejectBilling } from "../../kernel/errors";
import type { Renewal } from "../pricing/rules.renewal";
import { cyclesOf, type ScheduledItem } from "./billing/rules.cycles";
import type { PricingModel } from "./rules.models";
import { billingNotSetUp, type Halves, nextPhase } from "./rules.states";
import { isRepresentable, type TermTotals } from "./rules.totals";
import type { ContractPaymentTime, ItemInput, RenewalInput } from "./schema";
import type { ContractRow } from "./table";

/** Paths below `/contracts` that are no contracts: a contract with such an id could not be read. */
const reservedIds = new Set(["pricing-models", "legal-entities"]);

export function assertFreeOfRoutes(contractId: string | undefined): void {
	if (contractId !== undefined && reservedIds.has(contractId))
		throw fail("BadUserInput", `'${contractId}' cannot be a contract's id, since it is the name of a route.`);
}

export interface Window {
	readonly activationStartAt: Instant | null;
	readonly activationEndAt: Instant | null;
}

/**
 * Reads an activation window; absent dates come from `given`. The end is exclusive and must be later than the start.
 */
export function readWindow(
	sent: { readonly activationStartDate?: string; readonly activationEndDate?: string },
	given: Window,
): Window {
	const start = sent.activationStartDate === undefined ? given.activationStartAt : instantOf(sent.activationStartDate);
	const end = sent.activationEndDate === undefined ? given.activationEndAt : instantOf(sent.activationEndDate);
	if (start !== null && end !== null && end <= start)
		throw fail("BadUserInput", "'activationEndDate' must be after 'activationStartDate'.");
	return { activationStartAt: start, activationEndAt: end };
}

/** Every billing route rejects a contract without a billing half (docs/interface/contracts.md). */
export function assertBilled({ refId, billingState }: Pick<ContractRow, "refId" | "billingState">): void {
	if (billingState === null) throw billingNotSetUp(refId);
}

/**
 * Publishing requires lines with a billing period, net terms and a legal entity, which all have
 * (docs/interface/contracts.md).
 */
export function assertPublishable(
	contract: Halves,
	items: readonly ScheduledItem[],
	netTermsOf: (legalEntityId: string) => number | null,
): void {
	nextPhase(contract, "publish");
	if (items.length === 0)
		throw rejectBilling(
			"NO_LINE_ITEMS",
			`The contract '${contract.refId}' has no line items; add one before publishing.`,
		);
	const undated = items.find((item) => item.activationStartAt === null || item.activationEndAt === null);
	if (undated)
		throw rejectBilling(
			"BILLING_PERIOD_MISSING",
			`The line item '${undated.name}' has no billing period; give 'activationStartDate' and 'activationEndDate'.`,
		);
	const termless = items.find((item) => (item.netTerms ?? netTermsOf(item.legalEntityId)) === null);
	if (termless)
		throw rejectBilling("NET_TERMS_MISSING", `The line item '${termless.name}' has no net terms; give its 'netTerms'.`);
}

/** Tollgate's own limit of lines. */
export const itemsMax = 500;

/** The most invoices of a schedule. A line item for each month of ten years has 120. */
const cyclesMax = 20_000;

/** TOO_MANY_CYCLES for a schedule over the limit. */
export function assertSchedulable(refId: string, items: readonly ScheduledItem[]): void {
	let cycles = 0;
	for (const item of items) cycles += cyclesOf(item);
	if (cycles > cyclesMax)
		throw rejectBilling(
			"TOO_MANY_CYCLES",
			`The line items of contract '${refId}' would be invoiced for ${cycles} cycles; at most ${cyclesMax} are possible. Choose longer cycles or a shorter term.`,
		);
}

/** Pay-as-you-go is in arrears only; other items are in advance by default (docs/interface/contracts.md). */
export function paymentTimeOf(
	{ id, isPayAsYouGo }: PricingModel,
	{ paymentTime }: Pick<ItemInput, "paymentTime">,
): ContractPaymentTime {
	if (isPayAsYouGo && paymentTime === "IN_ADVANCE")
		throw rejectBilling(
			"IN_ADVANCE_NOT_ALLOWED",
			`The pay-as-you-go model '${id}' is paid in arrears; leave 'paymentTime' out, or choose a fixed model.`,
		);
	return paymentTime ?? (isPayAsYouGo ? "IN_ARREARS" : "IN_ADVANCE");
}

/** A contract adds its lines up, so they have one currency (docs/interface/contracts.md). */
export function assertSameCurrency(currency: string, items: readonly Pick<ScheduledItem, "currency">[]): void {
	const other = items.find((item) => item.currency !== currency)?.currency;
	if (other !== undefined)
		throw rejectBilling("CURRENCY_MISMATCH", `The contract's line items are in ${other}, not ${currency}.`);
}

/** AmountTooLarge if a JSON number could not be exact to the cent. */
export function assertRepresentable(totals: TermTotals): TermTotals {
	if (!isRepresentable(totals))
		throw fail("AmountTooLarge", "The contract's totals would exceed 90 trillion; lower a price or a quantity.");
	return totals;
}

/** Absent fields of a renewal have their defaults; null ends the contract with its term. */
export const readRenewal = ({
	autoRenew,
	months = 12,
	noticePeriodDays = 0,
	upliftPercentage = 0,
}: RenewalInput): Renewal | null =>
	autoRenew ? { months, noticePeriodDays, upliftPercentage: toDecimal(upliftPercentage) } : null;

/** Renewal applies to invoiced items: BILLING_NOT_SET_UP, BILLING_CANCELED, BILLING_ENDED. */
export function assertRenewable(contract: Halves, renewal: Renewal | null): void {
	if (renewal !== null) nextPhase(contract, "setRenewal");
}
