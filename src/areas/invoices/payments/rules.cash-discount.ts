import type { Instant } from "../../../kernel/clock";
import { type Big, exact, toDecimal, zero } from "../../../kernel/decimal";
import { divideToMinor } from "../../../kernel/money";
import { addDays } from "../../../kernel/period";
import type { CashDiscountTerms } from "../../legal-entities/schema";
import { dueOf } from "../credit-notes/rules";
import { overdueFrom } from "../rules";
import type { GrantedCashDiscount } from "../schema.party";
import type { CreditNoteRow, InvoiceRow } from "../table";
import type { PaymentRow } from "./store";

/** Returns the cash discount of an invoice at its issue; null without terms, and if it rounds to zero. */
export function grantedDiscount(
	terms: CashDiscountTerms | null,
	{ due, currency, issuedAt }: { readonly due: Big; readonly currency: string; readonly issuedAt: Instant },
): GrantedCashDiscount | null {
	if (terms === null) return null;
	const percentage = toDecimal(terms.percentage);
	const amount = percentageOf(due, { percentage, currency });
	if (amount.lte(0)) return null;
	return { percentage, amount: toDecimal(amount), until: addDays(issuedAt, terms.days) };
}

type Discounted = Pick<InvoiceRow, "state" | "currency" | "total" | "balanceApplied" | "amountPaid" | "cashDiscount">;

/** Returns the maximum discount on an OPEN invoice: on the amount that its balance and credit notes leave to pay. */
export function discountOn(invoice: Discounted, notes: readonly CreditNoteRow[]): Big {
	const { state, currency, cashDiscount, amountPaid } = invoice;
	if (state !== "OPEN" || cashDiscount === null) return exact(zero);
	const payable = dueOf(invoice, notes).plus(exact(amountPaid));
	return percentageOf(payable, { percentage: cashDiscount.percentage, currency });
}

/**
 * Returns how much of the cash discount a payment uses: the amount that it leaves due, if the discount covers it and everything was
 * paid in time. Null if it uses none: the payment is complete, too small, or too late.
 */
export function discountUsed(
	invoice: Discounted,
	notes: readonly CreditNoteRow[],
	earlier: ReadonlyArray<Pick<PaymentRow, "paidAt">>,
	{ amount, paidAt }: Pick<PaymentRow, "amount" | "paidAt">,
): Big | null {
	const { cashDiscount } = invoice;
	if (cashDiscount === null) return null;
	const isLate = [paidAt, ...earlier.map((payment) => payment.paidAt)].some(
		(at) => at >= overdueFrom(cashDiscount.until),
	);
	const left = dueOf(invoice, notes).minus(exact(amount));
	return isLate || left.lte(0) || left.gt(discountOn(invoice, notes)) ? null : left;
}

const percentageOf = (
	amount: Big,
	{ percentage, currency }: { readonly percentage: GrantedCashDiscount["percentage"]; readonly currency: string },
): Big => divideToMinor(amount.times(exact(percentage)), exact(100), currency);
