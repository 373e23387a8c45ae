import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import { addDays } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { chargeIssued, findOpenAttempt } from "../collection/attempts/operations";
import { getCustomerById } from "../customers/operations";
import { debitIssued } from "../direct-debit/operations";
import { giveNumber, type Issuer } from "../legal-entities/operations";
import type { CashDiscountTerms } from "../legal-entities/schema";
import { addBalanceEntry, balanceOf } from "./balance/ledger";
import { insertPayment } from "./payments/operations.record";
import { grantedDiscount } from "./payments/rules.cash-discount";
import { taxConversionOf } from "./rules.tax-conversion";
import { nextSequence } from "./store";
import type { InvoiceRow } from "./table";

/** The fields that an issue needs. */
export interface ToIssue {
	readonly customerId: string;
	readonly currency: string;
	readonly tax: Decimal;
	readonly total: Decimal;
	readonly wantedAt: Instant;
	/** Counted from `wantedAt`; undefined: by the legal entity's net terms. */
	readonly dueAt: Instant | undefined;
	/** The time of payment; null: the part that the balance does not pay is due. */
	readonly paidAt: Instant | null;
}

/** Decides the terms of an issue, at once or after the grace period: number, date, due date, and the part that is paid already. */
export function termsOfIssue(work: Work, issuer: Issuer, input: ToIssue) {
	const { total, wantedAt } = input;
	const sequence = nextSequence(work);
	const given = giveNumber(work, issuer.entity, "INVOICE", wantedAt);
	const { issuedAt } = given;
	const balanceApplied = input.paidAt === null ? payableFromBalance(work, input) : zero;
	// An earlier payment counts from the issue.
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

/** Returns the cash discount terms of the customer, or else of its legal entity. */
const discountTermsOf = (work: Work, { entity }: Issuer, { customerId }: ToIssue): CashDiscountTerms | null =>
	getCustomerById(work, customerId).cashDiscount ?? entity.cashDiscount;

/** Returns the part of the total that the customer's balance in that currency can pay. */
function payableFromBalance(work: Work, input: ToIssue): Decimal {
	if (exact(input.total).lte(0)) return zero;
	const balance = balanceOf(work, input);
	return exact(balance).lt(exact(input.total)) ? balance : input.total;
}

/**
 * Returns the due date: the requested number of days after the issue, also if the issue date moved, or else the legal entity's net
 * terms.
 */
export function dueAtOf(
	{ dueAt, wantedAt }: Pick<ToIssue, "dueAt" | "wantedAt">,
	{ entity }: Issuer,
	issuedAt: Instant,
) {
	if (dueAt === undefined) return addDays(issuedAt, entity.netTerms ?? 0);
	return (issuedAt + (dueAt - wantedAt)) as Instant;
}

/** Records the payments made before the issue, from the balance or otherwise. */
export function recordPrepayments(work: Work, invoice: InvoiceRow): void {
	const { id, balanceApplied, amountPaid, paidAt } = invoice;
	const applied = toDecimal(exact(balanceApplied).times(-1));
	addBalanceEntry(work, invoice, { kind: "APPLIED", amount: applied, invoiceId: id });
	if (paidAt !== null && exact(amountPaid).gt(0))
		insertPayment(
			work,
			invoice,
			{ amount: amountPaid, method: "OTHER", reference: null, note: null, paidAt },
			{ kind: "PAYMENT", balancePart: zero },
		);
}

/** Plans the payment of an issued invoice: a charge if Tollgate is to charge it and can, or else a direct debit if there is a mandate. */
export function chargeAtIssue(work: Work, invoice: InvoiceRow): void {
	const { id, customerId, legalEntityId, currency, number: description, total, balanceApplied, dueAt } = invoice;
	if (invoice.state !== "OPEN") return;
	const amount = toDecimal(exact(total).minus(exact(balanceApplied)));
	if (invoice.collectionMethod === "CHARGE") {
		chargeIssued(work, { customerId, legalEntityId, currency, description, invoices: [{ invoiceId: id, amount }] });
		if (findOpenAttempt(work, id) !== undefined) return;
	}
	debitIssued(work, { invoiceId: id, customerId, legalEntityId, currency, amount, description, dueAt });
}
