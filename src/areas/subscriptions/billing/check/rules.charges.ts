import { type Instant, toIsoOrNull } from "../../../../kernel/clock";
import { type Big, exact, sum } from "../../../../kernel/decimal";
import { type Period, utc } from "../../../../kernel/period";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { ChargeCreditRow } from "../../../billing/table";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import { type Proration, remainingShare, type Share, wholePeriod } from "../../../pricing/proration";
import type { SubscriptionRow } from "../../table";
import { inAdvance } from "../charged";
import { formatPeriod } from "./rules";
import type { Paused } from "./rules.pauses";

/**
 * Yields the differences between the charges in advance of a subscription and its row, and between their amounts and
 * the lines that charge them. Periods without an invoice wait for one, or an earlier release recorded them.
 */
export function* chargeDifferences(
	named: string,
	{ chargedFrom, billedUntil, timeZone }: Pick<SubscriptionRow, "chargedFrom" | "billedUntil" | "timeZone">,
	charges: readonly PeriodOfCharge[],
	lines: readonly IssuedLine[],
	pauses: readonly Paused[] = [],
): Generator<string> {
	if (chargedFrom !== null && charges.length === 0)
		yield `${named}: it counts as charged from ${toIsoOrNull(chargedFrom)} on, and has no charge`;
	for (const { charge, period } of charges) {
		const of = `${named}, ${charge.key}`;
		if (period.endsAt !== billedUntil)
			yield `${of}: is charged until ${toIsoOrNull(period.endsAt)}, expected ${toIsoOrNull(billedUntil)}`;
		const zone = timeZone ?? utc;
		if (charge.timeZone !== zone) yield `${of}: counts in the zone ${charge.timeZone}, expected ${zone}`;
		if (period.invoiceId === null || period.lineChargeId === null) continue;
		yield* amountDifferences(of, period, lines);
		yield* shareDifferences(of, { charge, period }, lines, pauses);
	}
}

/** Yields differences between the amount and tax of a charge period, and the lines that charge it. */
export function* amountDifferences(
	named: string,
	{ lineChargeId, rated }: PeriodOfCharge["period"],
	lines: readonly IssuedLine[],
): Generator<string> {
	const own = lines.filter(({ line: { chargeId, basis } }) => chargeId === lineChargeId && !basis?.isCredit);
	for (const [what, counted, found] of [
		["amount", rated.subTotal, own.map(({ line }) => line.amount)],
		["tax", rated.tax, own.map(({ line }) => line.tax)],
	] as const) {
		const made = sum(found.map(exact));
		if (!made.eq(counted)) yield `${named}: its ${what} counts as ${counted}, its lines make ${made.toFixed()}`;
	}
}

/** Yields lines of a charge whose part of the period is not the one that its proration makes of their time. */
function* shareDifferences(
	named: string,
	{ charge, period: { startsAt, endsAt: end, wholeStartsAt, lineChargeId, state } }: PeriodOfCharge,
	lines: readonly IssuedLine[],
	pauses: readonly Paused[],
): Generator<string> {
	const { interval, prorationMode: mode, timeZone } = charge;
	if (interval === null || state !== "BILLED") return;
	const proration = { mode, unit: interval.unit, timeZone };
	const whole = { start: wholeStartsAt ?? startsAt, end };
	for (const { named: line, line: stated } of lines) {
		const { basis, periodStart: start } = stated;
		if (stated.chargeId !== lineChargeId || !basis || start === null) continue;
		const expected = basis.isCredit
			? [false, true].map((isEnd) => remainingShare(whole, start, proration, isEnd))
			: [start <= whole.start || mode === "NONE" ? wholePeriod : shareFrom(whole, start, proration, pauses)];
		const share = basis.share ?? wholePeriod;
		if (!expected.some((one) => isSameShare(one, share)))
			yield `${line}: charges ${formatShare(share)} of ${formatPeriod(whole)}, expected ${expected.map(formatShare).join(" or ")} (${named}, ${mode})`;
	}
}

/** A resumption charges at most the part that its pause credited: the date of the pause is charged. */
function shareFrom(whole: Period, start: Instant, proration: Proration, pauses: readonly Paused[]): Share {
	const pause = pauses.find(({ startAt, endAt, prorates }) => prorates && endAt === start && startAt > whole.start);
	const share = remainingShare(whole, start, proration);
	if (!pause || !share.isByDate) return share;
	const credited = remainingShare(whole, pause.startAt, proration, true);
	return credited.partMs < share.partMs ? credited : share;
}

export const isSameShare = (one: Share, other: Share): boolean =>
	exact(one.partMs).times(other.wholeMs).eq(exact(other.partMs).times(one.wholeMs));

export const formatShare = ({ partMs, wholeMs }: Share): string => `${partMs} / ${wholeMs} ms`;

type Credited = PeriodOfCharge & { readonly credit: ChargeCreditRow };

/** Yields credits of more than their period, in time or amount, or of another part than their proration makes. */
export function* creditDifferences(
	named: string,
	credited: readonly Credited[],
	lines: readonly IssuedLine[],
	pauses: readonly Paused[] = [],
): Generator<string> {
	for (const { charge, period, credit } of credited) {
		const { startsAt: start, endsAt: end, rated, invoiceId } = period;
		const of = `${named}, ${charge.key} for ${formatPeriod({ start, end })}`;
		if (credit.fromAt < start || credit.toAt > end)
			yield `${of}: counts as credited for ${formatPeriod({ start: credit.fromAt, end: credit.toAt })}`;
		if (
			invoiceId !== null &&
			exact(credit.rated.subTotal).gt(chargedUpTo({ charge, period, credit }, credited, pauses))
		)
			yield `${of}: ${rated.subTotal} counts as charged, and ${credit.rated.subTotal} as credited`;
		if (period.lineChargeId !== null && period.state === "BILLED" && charge.key.startsWith(inAdvance))
			yield* creditedOtherwise(of, period.lineChargeId, credited, lines);
		// A stretch in arrears is reversed as a whole, as it was charged.
		if (invoiceId !== null && period.lineChargeId !== null && charge.paymentTime === "IN_ADVANCE")
			yield* shareDifferences(of, { charge, period }, lines, pauses);
	}
}

/** Yields the difference between the credits of a charge and the lines that credit it, where a bill has recorded credits. */
function* creditedOtherwise(
	named: string,
	lineChargeId: string,
	credited: readonly Credited[],
	lines: readonly IssuedLine[],
): Generator<string> {
	const rows = credited.filter(
		({ charge, period }) => period.lineChargeId === lineChargeId && charge.key.startsWith(inAdvance),
	);
	const counted = sum(rows.map(({ credit }) => exact(credit.rated.subTotal)));
	// A part of a credit that two documents share has no basis. An invoice that waited for its payment in vain has credited nothing.
	const credits = lines.filter(
		({ invoice, line: { chargeId, basis, amount } }) =>
			chargeId === lineChargeId &&
			invoice?.state !== "CANCELED" &&
			(basis ? basis.isCredit === true : exact(amount).lt(0)),
	);
	const found = sum(credits.map(({ line }) => exact(line.amount))).times(-1);
	if (!found.eq(counted))
		yield `${named}: ${counted.toFixed()} counts as credited, its lines credit ${found.toFixed()}`;
}

/**
 * Returns the largest amount that a credit of a period can have: its own, and for a period that begins with a resumption, what its pause has
 * left of the period before. A change on the date of the pause credits that date, which the period before has charged.
 */
function chargedUpTo(
	{ charge, period: { startsAt, endsAt, rated } }: Credited,
	credited: readonly Credited[],
	pauses: readonly Paused[],
): Big {
	const pause = pauses.find(({ prorates, endAt }) => prorates && endAt === startsAt);
	const before = credited.find(
		(one) =>
			pause !== undefined &&
			one.charge.key === charge.key &&
			one.period.endsAt === endsAt &&
			one.period.startsAt < startsAt &&
			one.credit.fromAt === pause.startAt,
	);
	if (!before) return exact(rated.subTotal);
	return exact(rated.subTotal)
		.plus(chargedUpTo(before, credited, pauses))
		.minus(before.credit.rated.subTotal);
}
