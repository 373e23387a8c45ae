import { type Instant, toIso } from "../../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, zero } from "../../../../kernel/decimal";
import { fail } from "../../../../kernel/errors";
import type { Work } from "../../../../kernel/work";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import { linesCreditedByHand } from "../../../invoices/credit-notes/operations.by-hand";
import { invoicesByIds, linesByInvoice } from "../../../invoices/operations";
import type { InvoiceLineRow, InvoiceRow } from "../../../invoices/table";
import type { LineBasis } from "../../../pricing/basis";
import type { RatedLine } from "../../../pricing/line";
import { grossOf } from "../../../pricing/tax-rounding";
import { wordedAround } from "../../../pricing/wording";
import type { PendingProrations, SubscriptionRow } from "../../table";
import { linesOfWindow } from "../check/rules";
import { isOfUsage, usageKeyOf } from "../measures/measure";

/** The bill of a past period that a change with an earlier date reverses, with its lines. */
export interface ReversedBill extends PeriodOfCharge {
	readonly lines: readonly InvoiceLineRow[];
}

interface Reversing extends FeatureNames {
	/** The field that dates the change. */
	readonly place: string;
}

interface FeatureNames {
	readonly featureRefOf: (featureId: string) => string | undefined;
}

/**
 * Finds the lines of bills of usage and of stretches in arrears on their invoices. Throws UnsupportedParameter for a bill whose lines are
 * not known, are not its own, or were credited by hand: it cannot be reversed exactly.
 */
export function linesOfBills(
	work: Work,
	row: SubscriptionRow,
	bills: readonly PeriodOfCharge[],
	reversing: Reversing,
): ReversedBill[] {
	const ids = [...new Set(bills.flatMap(({ period }) => period.invoiceId ?? []))];
	const invoices = invoicesByIds(work, ids);
	const lines = linesByInvoice(work, [...invoices.values()]);
	const byHand = linesCreditedByHand(work, ids);
	return [...Map.groupBy(bills, (one) => placeOf(one)).values()].flatMap((alike) => {
		const [{ period } = { period: undefined }] = alike;
		const invoice = invoices.get(period?.invoiceId ?? "");
		const own = invoice ? ownLines(row, alike[0], lines.get(invoice.id) ?? [], { invoice, ...reversing }) : [];
		assertReversible(alike, own, reversing);
		const credited = byHand.get(invoice?.id ?? "");
		if (invoice && (credited === null || own.some(({ position }) => credited?.has(position))))
			throw refusal(alike, reversing, `the invoice ${invoice.number} was credited by hand`);
		return alike.map((one, at) => ({ ...one, lines: at === 0 ? own : [] }));
	});
}

/** Bills of one window on one invoice share their lines. */
function placeOf({ charge, period }: PeriodOfCharge): string {
	if (!isOfUsage(charge)) return `${period.chargeId} ${period.startsAt} ${period.revision}`;
	const { kind, featureId, interval } = usageKeyOf(charge);
	return [period.invoiceId, kind, featureId, interval ?? "", period.startsAt].join(" ");
}

/** Returns the lines of an invoice that charge a bill. */
export function ownLines(
	{ refId }: SubscriptionRow,
	one: PeriodOfCharge | undefined,
	lines: readonly InvoiceLineRow[],
	{ invoice, featureRefOf }: FeatureNames & { readonly invoice: InvoiceRow },
): InvoiceLineRow[] {
	if (!one) return [];
	const { charge, period } = one;
	const charging = lines.filter(
		({ basis, subscriptionRefId }) => !basis?.isCredit && (subscriptionRefId === null || subscriptionRefId === refId),
	);
	if (!isOfUsage(charge))
		return charging.filter(({ chargeId }) => chargeId !== null && chargeId === period.lineChargeId);
	const { kind, featureId, interval } = usageKeyOf(charge);
	const window = {
		...{ kind, featureRefId: featureRefOf(featureId) ?? "", windowStart: period.startsAt },
		...(interval && { interval }),
	};
	const issued = charging.map((line) => ({ named: "", documentId: invoice.id, line }));
	const found = new Set(linesOfWindow(issued, window).map(({ line }) => line));
	return charging.filter((line) => found.has(line));
}

/** The lines make exactly the amounts that the bills have recorded. */
function assertReversible(
	bills: readonly PeriodOfCharge[],
	lines: readonly InvoiceLineRow[],
	reversing: Reversing,
): void {
	const differs = (["amount", "discount", "tax", "total"] as const).some((figure) => {
		const recorded = sum(bills.map(({ period: { rated } }) => exact(rated[figure === "amount" ? "subTotal" : figure])));
		return !recorded.eq(sum(lines.map((line) => exact(line[figure]))));
	});
	if (differs || lines.some(({ basis }) => basis === null))
		throw refusal(
			bills,
			reversing,
			"the bill of a time since then is on a credit note, waits for an invoice, or is of an earlier release",
		);
}

const refusal = (bills: readonly PeriodOfCharge[], { place }: Reversing, why: string): Error =>
	fail("UnsupportedParameter", `'${place}': ${why}; choose ${toIso(endOf(bills))} or a later time.`);

const endOf = (bills: readonly PeriodOfCharge[]): Instant =>
	Math.max(...bills.map(({ period }) => period.endsAt)) as Instant;

/** Returns the lines that reverse bills, exactly as they were charged, by currency. */
export function creditLines(bills: readonly ReversedBill[], currencyOf: (invoiceId: string) => string | undefined) {
	const lines = bills.flatMap((bill) =>
		bill.lines.map((line) => ({ line, currency: currencyOf(line.invoiceId) ?? "" })),
	);
	return [...Map.groupBy(lines, ({ currency }) => currency)].map(
		([currency, of]): PendingProrations => ({ currency, lines: of.map(({ line }) => creditOf(line)) }),
	);
}

function creditOf(line: InvoiceLineRow): RatedLine {
	const { kind, quantity, unitPrice, unit, taxPercentage, taxes, discounts, basis, periodStart, periodEnd } = line;
	const { productRefId, featureRefId, addonRefId, chargeId } = line;
	return {
		...{ kind, ...wordedAround("reversed", line), quantity, unitPrice, tiers: null },
		...{ productRefId, featureRefId, addonRefId, chargeId, ...(unit !== null && { unit }) },
		period: periodStart === null || periodEnd === null ? null : { start: periodStart, end: periodEnd },
		...{ amount: minus(line.amount), discount: minus(line.discount), tax: minus(line.tax), total: minus(line.total) },
		taxPercentage,
		...(taxes && { taxes: taxes.map((tax) => ({ ...tax, amount: minus(tax.amount) })) }),
		...(discounts && { discounts: discounts.map((one) => ({ ...one, amount: minus(one.amount) })) }),
		basis: reversedBasis(line, basis ?? { quantity: zero }),
	};
}

/** Taxes that were rounded for their invoice are reversed as they were charged. */
function reversedBasis(line: InvoiceLineRow, basis: LineBasis): LineBasis {
	const { tax: { gross, over, charged } = {}, discounts, ...rest } = basis;
	const reversed =
		over === undefined
			? charged
			: {
					gross: minus(toDecimal(grossOf(line))),
					amounts: (line.taxes ?? []).map(({ amount }) => minus(amount)),
				};
	return {
		...rest,
		...(discounts && { discounts: discounts.map((step) => ({ ...step, amount: minus(step.amount) })) }),
		...((gross || reversed) && {
			tax: {
				...(gross && { gross: { amount: minus(gross.amount), discount: minus(gross.discount) } }),
				...(reversed && { charged: reversed }),
			},
		}),
		isCredit: true,
	};
}

const minus = (amount: Decimal): Decimal => toDecimal(exact(amount).times(-1));
