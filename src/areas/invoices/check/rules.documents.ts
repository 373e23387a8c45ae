import { toIso } from "../../../kernel/clock";
import { type Big, exact, sum, zero } from "../../../kernel/decimal";
import { countedYear, isNumberOf } from "../../legal-entities/rules";
import { currencyOfCharge } from "../../pricing/models/charge";
import { reducedBy } from "../credit-notes/rules";
import type { CreditNoteLineRow, CreditNoteRow, InvoiceRow, LineRow } from "../table";
import type { CustomerBalanceEntryRow } from "../table.receipts";

/** The fields that an invoice and a credit note have in common. */
type Document = Pick<
	InvoiceRow & CreditNoteRow,
	"number" | "legalEntityId" | "numberYear" | "numberCount" | "issuedAt" | "currency" | "sequence" | "seal"
>;

const minimumOf = "MinimumSpendAdjustmentCharge";

/**
 * Compares the numbers of one kind of document with their counts and dates, in the order of issue. It keeps the last count of each
 * legal entity and year, and the latest document of each legal entity.
 */
export class NumberOrder {
	readonly #stems: ReadonlyMap<string, readonly string[]>;
	readonly #lastCounts = new Map<string, number>();
	readonly #latestOf = new Map<string, Document>();

	/** `stems` are the prefixes that each legal entity has had. */
	constructor(stems: ReadonlyMap<string, readonly string[]>) {
		this.#stems = stems;
	}

	*differences(named: string, document: Document): Generator<string> {
		const { number, legalEntityId, numberYear, numberCount, issuedAt, seal } = document;
		if (!isNumberOf(number, this.#stems.get(legalEntityId) ?? [], numberYear, numberCount))
			yield `${named}: its count is ${numberCount}${numberYear === 0 ? "" : ` of ${numberYear}`}, and its number is not`;
		if (numberYear !== countedYear({ numberYear: numberYear !== 0 }, issuedAt))
			yield `${named}: it is counted in ${numberYear}, its date is ${toIso(issuedAt)}`;
		const series = `${legalEntityId}/${numberYear}`;
		const lastCount = this.#lastCounts.get(series);
		if (lastCount !== undefined && numberCount !== lastCount + 1)
			yield `${named}: its count is ${numberCount}, the document issued before it has ${lastCount}`;
		const last = this.#latestOf.get(legalEntityId);
		// The first release, which wrote no seals, let dates run against the numbers.
		if (last && issuedAt < last.issuedAt && seal !== null)
			yield `${named}: its date is ${toIso(issuedAt)}, ${last.number} before it has ${toIso(last.issuedAt)}`;
		this.#lastCounts.set(series, numberCount);
		if (!last || issuedAt >= last.issuedAt) this.#latestOf.set(legalEntityId, document);
	}
}

/** The rows that belong to an invoice. */
export interface Settled {
	readonly notes: readonly CreditNoteRow[];
	/** The sum of its payments. */
	readonly paid: Big;
	/** The entries of its balance. */
	readonly entries: readonly CustomerBalanceEntryRow[];
}

/** Whether the state of an invoice follows from its payments, its credit notes and the balance. */
export function* stateDifferences(named: string, invoice: InvoiceRow, settled: Settled): Generator<string> {
	const { state, issuedAt, dueAt, paidAt, canceledAt } = invoice;
	if (dueAt < issuedAt) yield `${named}: it is due on ${toIso(dueAt)}, before it was issued`;
	if ((paidAt !== null) !== (state === "PAID")) yield `${named}: it is ${state}, and the date of its payment is not`;
	if ((canceledAt !== null) !== (state === "CANCELED"))
		yield `${named}: it is ${state}, and the date of its cancellation is not`;
	if (state === "PAID") yield* paidDifferences(named, invoice, settled);
	if (state === "CANCELED") yield* canceledDifferences(named, invoice, settled);
}

/** An invoice is PAID only if payments, the balance and credit notes cover its total. */
function* paidDifferences(named: string, invoice: InvoiceRow, { notes, paid }: Settled): Generator<string> {
	const { total, amountPaid, balanceApplied, seal } = invoice;
	// Invoices that were paid before payments were kept have none.
	if (seal === null && paid.eq(0)) return;
	const left = exact(total).minus(sum([exact(amountPaid), exact(balanceApplied), reducedBy(notes)]));
	if (left.gt(0)) yield `${named}: it is PAID, and ${left.toFixed()} of it was not paid`;
}

/** The payments of a canceled invoice are credited to the balance. */
function* canceledDifferences(
	named: string,
	{ amountPaid, balanceApplied }: InvoiceRow,
	{ notes, entries }: Settled,
): Generator<string> {
	const credited = sum(notes.map(({ toBalance }) => exact(toBalance)));
	const expected = exact(amountPaid).plus(exact(balanceApplied)).minus(credited);
	const returned = sum(entries.filter(({ kind }) => kind === "RETURNED").map(({ amount }) => exact(amount)));
	if (!returned.eq(expected))
		yield `${named}: it is CANCELED, ${expected.toFixed()} of it was paid, and ${returned.toFixed()} went back to the balance`;
}

/** Finds a line that charges the same as another line of its document, or charges in another currency than its document. */
export function* lineDifferences(
	named: string,
	{ currency }: Document,
	lines: ReadonlyArray<LineRow & { readonly isManual?: boolean }>,
): Generator<string> {
	const known = new Map<string, number>();
	for (const line of lines) {
		const { position, basis, kind } = line;
		const priced = basis?.charge && currencyOfCharge(basis.charge);
		if (priced !== undefined && priced !== currency)
			yield `${named}, line ${position + 1}: its price is in ${priced}, the document in ${currency}`;
		if (line.isManual || basis === null || kind === minimumOf) continue;
		const { periodStart, periodEnd, productRefId, featureRefId, addonRefId, chargeId, subscriptionRefId } = line;
		const charged = [productRefId, featureRefId, addonRefId, periodStart, periodEnd, chargeId, subscriptionRefId];
		const what = [kind, ...charged, basis, line.amount];
		const key = JSON.stringify(what);
		const other = known.get(key);
		if (other !== undefined && !exact(line.amount).eq(zero))
			yield `${named}, line ${position + 1} (${line.description}): charged twice, by line ${other + 1} too`;
		known.set(key, position);
	}
}

/** Whether a credit note corrects the invoice that it names. */
export function* noteDifferences(
	named: string,
	note: CreditNoteRow,
	lines: readonly CreditNoteLineRow[],
	invoice: InvoiceRow | undefined,
	invoiceLines: readonly LineRow[],
): Generator<string> {
	if (note.invoiceId === null) return;
	if (!invoice || invoice.number !== note.invoiceNumber) {
		yield `${named}: it corrects ${note.invoiceNumber}, and refers to ${invoice?.number ?? "none"}`;
		return;
	}
	for (const key of ["customerId", "currency", "legalEntityId"] as const)
		if (invoice[key] !== note[key])
			yield `${named}: its ${key} is ${note[key]}, that of the invoice ${invoice.number} is ${invoice[key]}`;
	if (note.issuedAt < invoice.issuedAt) yield `${named}: it is dated before the invoice ${invoice.number}`;
	for (const { invoiceLine, chargeId, position } of lines) {
		if (invoiceLine === null) continue;
		const credited = invoiceLines[invoiceLine];
		if (!credited || (chargeId !== null && credited.chargeId !== chargeId))
			yield `${named}, line ${position + 1}: the invoice ${invoice.number} has no such line`;
	}
}

/** Credit notes credit no more than the total of their invoice. */
export function* creditedDifferences(
	named: string,
	{ total }: InvoiceRow,
	notes: readonly CreditNoteRow[],
): Generator<string> {
	const credited = sum(notes.map((note) => exact(note.total)));
	if (credited.gt(0) && credited.gt(exact(total)))
		yield `${named}: credit notes give ${credited.toFixed()} of its ${total} back`;
}

/** An entry of a balance belongs to the customer, and the currency, of its document. */
export function* entryDifferences(
	named: string,
	{ customerId, currency }: Pick<InvoiceRow, "customerId" | "currency">,
	entries: readonly CustomerBalanceEntryRow[],
): Generator<string> {
	for (const entry of entries) {
		if (entry.customerId !== customerId)
			yield `${named}: its customer is ${customerId}, that of the balance it changed is ${entry.customerId}`;
		if (entry.currency !== currency)
			yield `${named}: its currency is ${currency}, that of the balance it changed is ${entry.currency}`;
	}
}
