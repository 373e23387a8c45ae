import { type Instant, instantOf } from "../../kernel/clock";
import { toDecimal } from "../../kernel/decimal";
import { fail, rejectBilling } from "../../kernel/errors";
import { cyclesOf, type RatedItem } from "./billing/rules.cycles";
import type { Renewal } from "./billing/rules.renewal";
import type { PricingModel } from "./rules.models";
import { billingNotSetUp, type Halves, nextPhase } from "./rules.states";
import { isRepresentable, type TermTotals } from "./rules.totals";
import type { ItemInput, PaymentTime, RenewalInput } from "./schema";
import type { ContractRow } from "./table";

/** Paths below `/contracts` that are no contract: a contract of that id could not be read. */
const reservedIds = new Set(["pricing-models", "legal-entities"]);

export function assertFreeOfRoutes(contractId: string | undefined): void {
	if (contractId !== undefined && reservedIds.has(contractId))
		throw fail("BadUserInput", `'${contractId}' cannot be a contract's id, since it is the name of a route.`);
}

export interface Window {
	readonly activationStartAt: Instant | null;
	readonly activationEndAt: Instant | null;
}

/** The activation window as sent; what is not sent comes from `given`. Half open: the end lies after the start. */
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

/** Every billing route refuses a contract with no billing half. Source: docs/interface/contracts.md. */
export function assertBilled({ refId, billingState }: Pick<ContractRow, "refId" | "billingState">): void {
	if (billingState === null) throw billingNotSetUp(refId);
}

/**
 * Source: docs/interface/contracts.md, publish requires lines with a billing period, net terms, and a legal entity
 * (which all have).
 */
export function assertPublishable(
	contract: Halves,
	items: readonly RatedItem[],
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

/** Our choice: more lines make no contract that anybody reads. */
export const itemsMax = 500;

/** Our choice: what a schedule of invoices can be read at once; a line item for each of ten years' months is 120. */
const cyclesMax = 20_000;

/** TOO_MANY_CYCLES, where the schedule would be longer than anybody reads. */
export function assertSchedulable(refId: string, items: readonly RatedItem[]): void {
	let cycles = 0;
	for (const item of items) cycles += cyclesOf(item);
	if (cycles > cyclesMax)
		throw rejectBilling(
			"TOO_MANY_CYCLES",
			`The line items of contract '${refId}' would be invoiced for ${cycles} cycles; at most ${cyclesMax} are possible. Choose longer cycles or a shorter term.`,
		);
}

/** In arrears for pay-as-you-go, which nothing else can be; in advance otherwise. Source: docs/interface/contracts.md. */
export function paymentTimeOf(
	{ id, isPayAsYouGo }: PricingModel,
	{ paymentTime }: Pick<ItemInput, "paymentTime">,
): PaymentTime {
	if (isPayAsYouGo && paymentTime === "IN_ADVANCE")
		throw rejectBilling(
			"IN_ADVANCE_NOT_ALLOWED",
			`The pay-as-you-go model '${id}' is paid in arrears; leave 'paymentTime' out, or choose a fixed model.`,
		);
	return paymentTime ?? (isPayAsYouGo ? "IN_ARREARS" : "IN_ADVANCE");
}

/** A contract adds its lines up, so they are in one currency. Source: docs/interface/contracts.md, one billing currency. */
export function assertSameCurrency(currency: string, items: readonly Pick<RatedItem, "currency">[]): void {
	const other = items.find((item) => item.currency !== currency)?.currency;
	if (other !== undefined)
		throw rejectBilling("CURRENCY_MISMATCH", `The contract's line items are in ${other}, not ${currency}.`);
}

/** AmountTooLarge, where a JSON number could no longer tell every cent. */
export function assertRepresentable(totals: TermTotals): TermTotals {
	if (!isRepresentable(totals))
		throw fail("AmountTooLarge", "The contract's totals would pass 90 trillion; lower a price or a quantity.");
	return totals;
}

/** What is left out of a renewal has its default; null ends the contract with its term. */
export const readRenewal = ({
	autoRenew,
	months = 12,
	noticePeriodDays = 0,
	upliftPercentage = 0,
}: RenewalInput): Renewal | null =>
	autoRenew ? { months, noticePeriodDays, upliftPercentage: toDecimal(upliftPercentage) } : null;

/** Renewed is what is invoiced: BILLING_NOT_SET_UP, BILLING_CANCELED, BILLING_ENDED. */
export function assertRenewable(contract: Halves, renewal: Renewal | null): void {
	if (renewal !== null) nextPhase(contract, "setRenewal");
}
