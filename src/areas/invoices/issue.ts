import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import { addUnits } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { getCustomerById } from "../customers/operations";
import { giveNumber, type Issuer } from "../legal-entities/operations";
import type { CashDiscountTerms } from "../legal-entities/schema";
import { addBalanceEntry, balanceOf } from "./balance/ledger";
import { grantedDiscount } from "./payments/rules.cash-discount";
import { insertPayment } from "./payments/store";
import { taxConversionOf } from "./rules.tax-conversion";
import { nextSequence } from "./store";
import type { InvoiceRow } from "./table";

/** What an invoice is issued with. */
export interface ToIssue {
	readonly customerId: string;
	readonly currency: string;
	readonly tax: Decimal;
	readonly total: Decimal;
	readonly wantedAt: Instant;
	/** Counted from `wantedAt`; undefined: by the legal entity's net terms. */
	readonly dueAt: Instant | undefined;
	/** Since when it counts as paid; null: what the balance does not pay is due. */
	readonly paidAt: Instant | null;
}

/**
 * What is decided when an invoice is issued, at once or after its grace period: its number and date, when it is due, and what
 * of it is paid already.
 */
export function termsOfIssue(work: Work, issuer: Issuer, input: ToIssue) {
	const { total, wantedAt } = input;
	const sequence = nextSequence(work);
	const given = giveNumber(work, issuer.entity, "INVOICE", wantedAt);
	const { issuedAt } = given;
	const balanceApplied = input.paidAt === null ? payableFromBalance(work, input) : zero;
	// What was paid beforehand counts from the issue on.
	const statedAt = input.paidAt === null ? null : (Math.max(input.paidAt, issuedAt) as Instant);
	const paidAt = statedAt ?? (exact(total).gt(exact(balanceApplied)) ? null : issuedAt);
	const due = paidAt === null ? exact(total).minus(exact(balanceApplied)) : exact(zero);
	return {
		legalEntityId: issuer.entity.id,
		...given,
		sequence,
		state: paidAt === null ? "OPEN" : "PAID",
		dueAt: dueAtOf(input, issuer, issuedAt),
		cashDiscount: grantedDiscount(discountTermsOf(work, issuer, input), { due, currency: input.currency, issuedAt }),
		...taxConversionOf(issuer.entity, input, issuedAt),
		paidAt,
		balanceApplied,
		amountPaid: statedAt !== null && exact(total).gt(0) ? total : zero,
	} as const;
}

/** The customer's own, else those of its legal entity. */
const discountTermsOf = (work: Work, { entity }: Issuer, { customerId }: ToIssue): CashDiscountTerms | null =>
	getCustomerById(work, customerId).cashDiscount ?? entity.cashDiscount;

/** What a customer has in credit pays the next invoice in that currency, as far as it goes. */
function payableFromBalance(work: Work, input: ToIssue): Decimal {
	if (exact(input.total).lte(0)) return zero;
	const balance = balanceOf(work, input);
	return exact(balance).lt(exact(input.total)) ? balance : input.total;
}

/** As many days after its issue as was asked for, wherever that was moved to; else by the legal entity's net terms. */
export function dueAtOf(
	{ dueAt, wantedAt }: Pick<ToIssue, "dueAt" | "wantedAt">,
	{ entity }: Issuer,
	issuedAt: Instant,
) {
	if (dueAt === undefined) return addUnits(issuedAt, "days", entity.netTerms ?? 0);
	return (issuedAt + (dueAt - wantedAt)) as Instant;
}

/** What was paid of it before it was issued, by the balance or otherwise, is kept. */
export function recordPrepayments(work: Work, invoice: InvoiceRow): void {
	const { id, balanceApplied, amountPaid, paidAt } = invoice;
	const applied = toDecimal(exact(balanceApplied).times(-1));
	addBalanceEntry(work, invoice, { kind: "APPLIED", amount: applied, invoiceId: id });
	if (paidAt !== null && exact(amountPaid).gt(0))
		insertPayment(work, {
			invoiceId: id,
			kind: "PAYMENT",
			amount: amountPaid,
			balancePart: zero,
			method: "OTHER",
			reference: null,
			note: null,
			paidAt,
		});
}
