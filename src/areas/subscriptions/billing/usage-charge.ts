import { type Instant, instantOf } from "../../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import type { Period } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import type { InvoiceRow } from "../../invoices/table";
import { isBilledHere } from "../rules.due";
import { assertMayEnd } from "../rules.status";
import type { UsageCharge } from "../schema";
import type { SubscriptionRow } from "../table";
import { allWindows } from "./counted-usage";
import { billUsage } from "./renewal";

export interface ChargedUsage {
	readonly period: Period;
	readonly invoice: InvoiceRow | undefined;
	/** The newly billed usage by the caller's id of the feature, in reported units. */
	readonly usage: ReadonlyMap<string, Decimal>;
}

/**
 * Invoices the usage since the last charge, up to now or to an earlier time. Without usage no invoice is issued.
 * Throws InvalidSubscriptionStatus, InvalidArgumentError.
 */
export function chargeUsage(work: Work, row: SubscriptionRow, { untilDate }: UsageCharge): ChargedUsage {
	assertMayEnd(row, work.now);
	if (row.status !== "ACTIVE")
		throw fail(
			"InvalidSubscriptionStatus",
			`The subscription '${row.refId}' is ${row.status}; usage is charged while it is ACTIVE.`,
		);
	if (!isBilledHere(row))
		throw fail(
			"InvalidArgumentError",
			`The subscription '${row.refId}' is not invoiced here: it is free, custom-priced, or billed by a contract.`,
		);
	const start = row.usageBilledUntil ?? row.usageBilledFrom ?? row.startAt;
	const end: Instant = untilDate === undefined ? work.now : instantOf(untilDate);
	if (end > work.now) throw fail("InvalidArgumentError", "'untilDate' lies in the future; usage is charged up to now.");
	if (end < start)
		throw fail("InvalidArgumentError", "'untilDate' lies before the last charge; there is nothing to charge.");
	const { counted, invoice } = billUsage(work, row, end, "MANUAL");
	const usage = new Map<string, Decimal>();
	for (const { featureRef, quantity, billed } of allWindows(counted)) {
		const more = exact(quantity).minus(exact(billed));
		if (more.gt(0)) usage.set(featureRef, toDecimal(exact(usage.get(featureRef) ?? zero).plus(more)));
	}
	return { period: { start, end }, invoice, usage };
}
