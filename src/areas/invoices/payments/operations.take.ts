import type { Instant } from "../../../kernel/clock";
import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { addBalanceEntry } from "../balance/ledger";
import { creditCashDiscount } from "../credit-notes/cash-discount";
import { creditNotesOf } from "../credit-notes/store";
import { receiptChanged } from "../events";
import { getInvoice } from "../operations";
import { assertWholeMinorUnits } from "../rules";
import { changeInvoice } from "../store";
import type { InvoiceRow } from "../table";
import type { AllocationRow, ReceiptRow } from "../table.receipts";
import { insertReceipt } from "./operations.record";
import { type AllocationEffect, applyAllocation, paymentsInForce } from "./rules";
import { discountUsed } from "./rules.cash-discount";
import { assertAllocatable, assertPayableBy, assertSameReceipt, scopeOf } from "./rules.take";
import type { Excess, ReceiptSource } from "./schema";
import { changeReceipt, findReceiptByReference, insertAllocation, paymentsOf } from "./store";
import { allocationsOfReceipts } from "./store.check";

/** An amount of a receipt that is to pay an invoice (by row id), in major units, above zero. */
export interface PlannedAllocation {
	readonly invoiceId: string;
	readonly amount: Decimal;
}

/** Money that arrived from a customer. Ids are row ids. */
export interface IncomingPayment extends Pick<ReceiptRow, "customerId" | "legalEntityId" | "method" | "note"> {
	/** ISO 4217, lower case. */
	readonly currency: string;
	/** In major units, above zero. */
	readonly amount: Decimal;
	/** The origin, and the id of what records there: the bank account or the connection. */
	readonly source: ReceiptSource;
	/** Unique within the source: a repeated one means the same money. Null: nothing identifies it. */
	readonly reference: string | null;
	/** The time at which the money arrived, not in the future. */
	readonly receivedAt: Instant;
	/** At most `allocationsMax` (rules.take.ts), each invoice once. An invoice takes at most its amount due. */
	readonly allocations: readonly PlannedAllocation[];
	/** Where the rest of the amount goes, and what an invoice does not need. */
	readonly excess: Excess;
}

export interface TakenPayment {
	readonly receipt: ReceiptRow;
	/** The allocations of the receipt, in the order of recording. */
	readonly allocations: readonly AllocationRow[];
	/** The invoices that this payment settled. */
	readonly settled: readonly InvoiceRow[];
	/** Whether the reference was known: nothing was recorded. */
	readonly isKnown: boolean;
}

/** Returns the receipt that has the reference of this payment; undefined if it is new. Throws InvalidArgumentError for another amount. */
export function findTaken(work: Work, incoming: IncomingPayment): TakenPayment | undefined {
	const { reference } = incoming;
	const known =
		reference === null
			? undefined
			: findReceiptByReference(work, { kind: "PAYMENT", referenceScope: scopeOf(incoming), reference });
	if (!known) return undefined;
	assertSameReceipt(known, incoming);
	return { receipt: known, allocations: allocationsOfReceipts(work, [known.id]), settled: [], isKnown: true };
}

/**
 * Records money that arrived, and pays invoices with it. Callers use `takePayment` of subscriptions, which also starts what waited for
 * the payment. Throws InvoiceNotFound for an invoice of another customer, BillingInvoiceStatusError for a draft, and
 * InvalidArgumentError for another currency or legal entity, an invoice named twice, and more than the amount.
 */
export function recordReceipt(work: Work, incoming: IncomingPayment): TakenPayment {
	const known = findTaken(work, incoming);
	if (known) return known;
	const { customerId, legalEntityId, currency, amount, method, note, reference, receivedAt } = incoming;
	assertWholeMinorUnits("amount", amount, currency);
	const planned = planAllocations(work, incoming, incoming.allocations, { amount, excess: incoming.excess });
	const receipt = insertReceipt(work, {
		...{ customerId, legalEntityId, currency, amount, method, note, reference, receivedAt },
		...{ kind: "PAYMENT", reason: null, unallocated: toDecimal(planned.unallocated) },
		...{ referenceScope: scopeOf(incoming), source: sourceOf(incoming) },
	});
	const applied = applyAllocations(work, receipt, planned);
	// A payment that was entered for one invoice has the events of the invoice.
	if (incoming.source.kind !== "INVOICE") receiptChanged(work, "receipt.created", receipt);
	return { receipt, ...applied, isKnown: false };
}

const sourceOf = ({ source: { kind } }: IncomingPayment): ReceiptRow["source"] =>
	kind === "BANK" || kind === "PROVIDER" ? kind : null;

/**
 * Pays invoices with unallocated money of a receipt; `excess` BALANCE adds the rest of it to the customer's balance. Callers use
 * `allocateReceipt` of subscriptions, which also starts what waited for the payment. Throws the codes of `recordReceipt`.
 */
export function allocateUnallocated(
	work: Work,
	receipt: ReceiptRow,
	allocations: readonly PlannedAllocation[],
	excess: Excess,
): TakenPayment {
	if (exact(receipt.unallocated).lte(0))
		throw fail("InvalidArgumentError", `Nothing of the receipt '${receipt.id}' is unallocated; see its allocations.`);
	const planned = planAllocations(work, receipt, allocations, { amount: receipt.unallocated, excess });
	const changed = changeReceipt(work, receipt, { unallocated: toDecimal(planned.unallocated) });
	const applied = applyAllocations(work, changed, planned);
	receiptChanged(work, "receipt.allocated", changed);
	return { receipt: changed, ...applied, isKnown: false };
}

interface PlannedPayments {
	readonly effects: ReadonlyArray<AllocationEffect & { readonly invoice: InvoiceRow }>;
	/** The part that goes to the balance without an invoice. */
	readonly toBalance: Big;
	readonly unallocated: Big;
}

type Payer = Pick<IncomingPayment, "customerId" | "legalEntityId" | "currency" | "receivedAt">;

/** Decides what each invoice takes, and issues the credit notes of cash discounts. */
function planAllocations(
	work: Work,
	payer: Payer,
	allocations: readonly PlannedAllocation[],
	{ amount, excess }: { readonly amount: Decimal; readonly excess: Excess },
): PlannedPayments {
	assertAllocatable(allocations, amount);
	const effects = allocations.flatMap((planned) => {
		const invoice = payableInvoice(work, payer, planned);
		const effect = applyAllocation(invoice, creditNotesOf(work, invoice), planned.amount, excess);
		return effect && exact(effect.amount).gt(0) ? [{ ...effect, invoice }] : [];
	});
	const rest = exact(amount).minus(sum(effects.map((effect) => exact(effect.amount))));
	const none = exact(zero);
	return excess === "BALANCE"
		? { effects, toBalance: rest, unallocated: none }
		: { effects, toBalance: none, unallocated: rest };
}

/** Returns the invoice after the cash discount that the amount uses. */
function payableInvoice(work: Work, payer: Payer, { invoiceId, amount }: PlannedAllocation): InvoiceRow {
	const invoice = getInvoice(work, invoiceId);
	assertPayableBy(payer, invoice);
	assertWholeMinorUnits("amount", amount, invoice.currency);
	const notes = creditNotesOf(work, invoice);
	const earlier = paymentsInForce(paymentsOf(work, invoice.id));
	const used = discountUsed(invoice, notes, earlier, { amount, paidAt: payer.receivedAt });
	if (used === null) return invoice;
	creditCashDiscount(work, invoice, notes, used);
	return getInvoice(work, invoice.id);
}

function applyAllocations(
	work: Work,
	receipt: ReceiptRow,
	{ effects, toBalance }: PlannedPayments,
): Pick<TakenPayment, "allocations" | "settled"> {
	const settled: InvoiceRow[] = [];
	const paid = effects.map(({ invoice, amount, balancePart, amountPaid, settles }) => {
		const allocation = insertPaying(work, receipt, { invoiceId: invoice.id, amount, balancePart });
		const paidAt = Math.max(receipt.receivedAt, invoice.issuedAt) as Instant;
		const changed = changeInvoice(work, invoice, { amountPaid, ...(settles && { state: "PAID" as const, paidAt }) });
		if (settles) settled.push(changed);
		return allocation;
	});
	if (toBalance.lte(0)) return { allocations: paid, settled };
	const amount = toDecimal(toBalance);
	const added = insertPaying(work, receipt, { invoiceId: null, amount, balancePart: amount });
	return { allocations: [...paid, added], settled };
}

/** Writes an allocation, and the entry of the balance that receives a part of it. */
function insertPaying(
	work: Work,
	receipt: ReceiptRow,
	part: Pick<AllocationRow, "invoiceId" | "amount" | "balancePart">,
): AllocationRow {
	const allocation = insertAllocation(work, {
		...{ ...part, receiptId: receipt.id, kind: "PAYMENT" },
		...{ reversesId: null, reason: null, returnId: null },
	});
	addBalanceEntry(work, receipt, { kind: "OVERPAID", amount: part.balancePart, paymentId: allocation.id });
	return allocation;
}
