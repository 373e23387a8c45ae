import { type Instant, toIso } from "../../../../kernel/clock";
import { exact } from "../../../../kernel/decimal";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { ChargeCreditRow } from "../../../billing/table";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import type { SubscriptionRow } from "../../table";
import type { SubscriptionPauseRow } from "../../table.changes";
import { isOfUsage, usageKeyOf } from "../measures/measure";
import { formatPeriod, isPeriodCharge } from "./rules";

export type Paused = Pick<SubscriptionPauseRow, "startAt" | "endAt" | "prorates">;

type Credited = PeriodOfCharge & { readonly credit: ChargeCreditRow };

/** The bills, credits and document lines of a subscription. */
interface Billed {
	/** All its bills: charges in advance, fees in arrears and usage. */
	readonly bills: readonly PeriodOfCharge[];
	readonly credited: readonly Credited[];
	readonly lines: readonly IssuedLine[];
}

/**
 * Yields charges for time of a pause: lines of a period that begins during the pause, usage that is counted in it, and charges in
 * advance that were not credited from its start.
 */
export function* pauseDifferences(
	named: string,
	{ id }: Pick<SubscriptionRow, "id">,
	pauses: readonly Paused[],
	billed: Billed,
): Generator<string> {
	for (const pause of pauses) {
		const { startAt, endAt } = pause;
		if (startAt === endAt) continue;
		const during = `in the pause from ${toIso(startAt)} to ${endAt === null ? "now" : toIso(endAt)}`;
		const isDuring = (at: Instant | null): boolean => at !== null && at > startAt && (endAt === null || at < endAt);
		for (const { named: line, line: stated, invoice } of billed.lines)
			if (invoice?.subscriptionId === id && isPeriodCharge(stated) && isDuring(stated.periodStart))
				yield `${line}: charges time ${during}`;
		for (const { charge, period } of billed.bills) {
			if (isOfUsage(charge) && usageKeyOf(charge).kind === "usage" && period.state === "BILLED")
				if (isDuring(period.startsAt) || isDuring(period.endsAt))
					yield `${named}, ${charge.key}: bills usage of ${formatPeriod({ start: period.startsAt, end: period.endsAt })}, which lies ${during}`;
			if (isOffset(pause, billed.bills)) continue;
			const all = [...billed.bills, ...billed.credited];
			if (isCreditable(charge, period, pause) && !isFollowed({ charge, period }, pause, all))
				yield* creditOf(named, { charge, period }, pause, billed);
		}
	}
}

/** Whether the unused time of a charge is credited when a subscription pauses. */
const isCreditable = (
	{ paymentTime, prorationMode, terms }: PeriodOfCharge["charge"],
	{ startsAt, endsAt, state, lineChargeId, left }: PeriodOfCharge["period"],
	{ startAt, prorates }: Paused,
): boolean =>
	prorates &&
	paymentTime === "IN_ADVANCE" &&
	state === "BILLED" &&
	lineChargeId !== null &&
	startsAt <= startAt &&
	startAt < endsAt &&
	prorationMode !== "NONE" &&
	(left === null || exact(left.part).gt(0)) &&
	terms !== null &&
	"item" in terms &&
	terms.item.refundsUnusedTime !== false;

/**
 * Whether another system billed a charge of the period that a pause cuts. Its unused time is set against the credits, which can leave none:
 * only amounts paid here are credited.
 */
const isOffset = ({ startAt }: Paused, bills: readonly PeriodOfCharge[]): boolean =>
	bills.some(
		({ charge, period }) =>
			charge.paymentTime === "IN_ADVANCE" &&
			period.state === "ELSEWHERE" &&
			period.startsAt <= startAt &&
			startAt < period.endsAt,
	);

/** Whether the charge has ended before the pause, or another period of it has begun: a change started a new cycle without a credit. */
const isFollowed = (
	{ charge, period }: PeriodOfCharge,
	{ startAt }: Paused,
	bills: readonly PeriodOfCharge[],
): boolean =>
	(charge.replacedAt !== null && charge.replacedAt < startAt) ||
	bills.some(
		(one) => one.charge.key === charge.key && one.period.startsAt > period.startsAt && one.period.startsAt <= startAt,
	);

/** A credit that is spread over several documents has no basis. */
const isCredit = ({ basis, amount }: IssuedLine["line"]): boolean =>
	basis ? basis.isCredit === true : exact(amount).lt(0);

function* creditOf(
	named: string,
	{ charge, period }: PeriodOfCharge,
	{ startAt }: Paused,
	{ credited, lines }: Billed,
): Generator<string> {
	const credit = credited.find(
		(one) => one.period.chargeId === period.chargeId && one.period.startsAt === period.startsAt,
	);
	const of = `${named}, ${charge.key} for ${formatPeriod({ start: period.startsAt, end: period.endsAt })}`;
	if (!credit || credit.credit.fromAt > startAt) yield `${of}: is not credited from the pause at ${toIso(startAt)} on`;
	else if (!lines.some(({ line }) => line.chargeId === period.lineChargeId && isCredit(line)))
		yield `${of}: counts as credited from the pause on, expected a credit on a document, found none`;
}
