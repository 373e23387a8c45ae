import { type Instant, toIso } from "../../../../kernel/clock";
import { fail } from "../../../../kernel/errors";
import type { Work } from "../../../../kernel/work";
import {
	periodsEndingAfter,
	reversedOfInvoice,
	reverseStretches,
	reverseUsage,
} from "../../../billing/operations.reverse";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import { featuresByIds } from "../../../features/operations";
import { invoicesByIds, linesByInvoice } from "../../../invoices/operations";
import type { InvoiceRow } from "../../../invoices/table";
import { selectByIds } from "../../store";
import type { PendingProrations, SubscriptionRow } from "../../table";
import type { RunningCharge } from "../arrears";
import { usageChargesOf } from "../counted-usage";
import { chargeKeyOf, isOfUsage, usageKeyOf } from "../measures/measure";
import { selectHighestTotal } from "../store.highest-totals";
import { creditLines, linesOfBills, ownLines, type ReversedBill } from "./reversed-lines";

/** The limit of a change with an earlier date: more than two years of daily periods. */
export const formerPeriodsMax = 1000;

interface Reversing {
	/** The date of the change. */
	readonly from: Instant;
	/** The field that dates it. */
	readonly place: string;
}

/** The reversed bills of usage. */
export interface ReversedUsage {
	readonly bills: readonly ReversedBill[];
	/** Whether a bill was of a window that runs, such as one at a threshold. */
	readonly wasInterim: boolean;
}

/**
 * Reverses the bills of usage whose windows end after a date, so that the windows can be billed again. Throws UnsupportedParameter for bills
 * that cannot be rated again exactly.
 */
export function reverseUsageSince(work: Work, row: SubscriptionRow, reversing: Reversing): ReversedUsage {
	const found = [...usageChargesOf(work, row).values()].flatMap((charge) => {
		const rows = periodsEndingAfter(work, charge, reversing.from);
		return rows.length === 0 ? [] : [{ charge, rows }];
	});
	const all = found.flatMap(({ rows }) => rows);
	assertAtMost(all.length, reversing);
	for (const one of all) assertRepeatable(work, row, one, reversing);
	const bills = linesOfBills(work, row, all, { ...reversing, featureRefOf: featureRefs(work, all) });
	for (const { charge, rows } of found) reverseUsage(work, charge, rows);
	const wasInterim = found.some(({ charge: { billedUntil }, rows }) =>
		rows.some(({ period }) => billedUntil !== null && period.startsAt >= billedUntil),
	);
	return { bills, wasInterim };
}

/** The reversed stretches of charges in arrears. */
export interface ReversedStretches {
	readonly bills: readonly ReversedBill[];
	/** The charges that go on from the first reversed stretch, on its terms. */
	readonly charges: readonly RunningCharge[];
}

/** Reverses the stretches of charges in arrears that end after a date, so that their time can be billed again. */
export function reverseArrearsSince(
	work: Work,
	row: SubscriptionRow,
	charges: readonly RunningCharge[],
	reversing: Reversing,
): ReversedStretches {
	const found = charges.map(({ charge }) => periodsEndingAfter(work, charge, reversing.from));
	assertAtMost(found.flat().length, reversing);
	for (const one of found.flat())
		if (one.charge.prorationMode === "NONE")
			throw notExact(one, reversing, "fees in arrears without proration cannot be rated again");
	const bills = linesOfBills(work, row, found.flat(), { ...reversing, featureRefOf: () => undefined });
	return {
		bills,
		charges: found.flatMap((rows) => {
			const charge = reverseStretches(work, rows);
			return charge?.terms && "stretch" in charge.terms ? [{ charge, terms: charge.terms }] : [];
		}),
	};
}

/** Returns the lines that reverse bills, by currency. */
export function creditsOf(work: Work, bills: readonly ReversedBill[]): PendingProrations[] {
	const invoices = invoicesByIds(work, [...new Set(bills.flatMap(({ period }) => period.invoiceId ?? []))]);
	return creditLines(bills, (id) => invoices.get(id)?.currency);
}

/** Returns the positions of the lines of an invoice whose usage a change with an earlier date has reversed. */
export function reversedPositions(work: Work, invoice: InvoiceRow): ReadonlySet<number> {
	const bills = reversedOfInvoice(work, invoice.id).filter(({ charge }) => isOfUsage(charge));
	const subscriptions = new Map(
		selectByIds(work, [...new Set(bills.map(({ charge }) => charge.ownerId))]).map((one) => [one.id, one]),
	);
	const lines = bills.length === 0 ? [] : (linesByInvoice(work, [invoice]).get(invoice.id) ?? []);
	const featureRefOf = featureRefs(work, bills);
	return new Set(
		bills.flatMap((bill) => {
			const row = subscriptions.get(bill.charge.ownerId);
			return row ? ownLines(row, bill, lines, { invoice, featureRefOf }).map(({ position }) => position) : [];
		}),
	);
}

function featureRefs(work: Work, rows: readonly PeriodOfCharge[]): (featureId: string) => string | undefined {
	const ids = [...new Set(rows.map(({ charge }) => usageKeyOf(charge).featureId))];
	const features = featuresByIds(work, ids);
	return (featureId) => features.get(featureId)?.refId;
}

function assertAtMost(count: number, { place }: Reversing): void {
	if (count > formerPeriodsMax)
		throw fail(
			"InvalidArgumentError",
			`'${place}' lies before more than ${formerPeriodsMax} bills of usage or fees in arrears; choose a later date.`,
		);
}

function assertRepeatable(work: Work, { id }: SubscriptionRow, one: PeriodOfCharge, reversing: Reversing): void {
	const { charge, period } = one;
	const key = usageKeyOf(charge);
	if (key.kind === "overage" || period.state === "ELSEWHERE")
		throw notExact(one, reversing, "overage counts from the start of its limit's period, so it cannot be rated again");
	if (period.usageState?.freeUnits)
		throw notExact(one, reversing, "coupons have made usage free since then, and this cannot be rated again");
	const of = { subscriptionId: id, key: chargeKeyOf(key) };
	if (key.atEvent && selectHighestTotal(work, of, period.startsAt))
		throw notExact(
			one,
			reversing,
			"events have lowered the usage that each event charges, so it cannot be rated again",
		);
}

/** Refuses what cannot be rated again exactly, with the first date that works. */
const notExact = ({ charge, period }: PeriodOfCharge, { place }: Reversing, why: string): Error =>
	fail(
		"UnsupportedParameter",
		`'${place}': ${why}; ${isOfUsage(charge) ? "usage" : "it"} is billed until ${toIso(period.endsAt)}, so choose that time or a later one.`,
	);
