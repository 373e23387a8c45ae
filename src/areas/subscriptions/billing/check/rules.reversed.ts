import { exact, sum } from "../../../../kernel/decimal";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { ChargeCreditRow } from "../../../billing/table";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import { isOfUsage, usageKeyOf } from "../measures/measure";
import { formatPeriod, linesOfWindow } from "./rules";

type Credited = PeriodOfCharge & { readonly credit: ChargeCreditRow };

/** Leaves out the lines of usage that a change with an earlier date has reversed, and the lines that reverse them. */
export function withoutReversed(lines: readonly IssuedLine[]): readonly IssuedLine[] {
	const credits = lines.filter(({ line }) => line.chargeId === null && line.basis?.isCredit === true);
	if (credits.length === 0) return lines;
	const removed = new Set<IssuedLine>();
	for (const credit of credits) {
		const wanted = keyOf(credit, -1);
		const charge = lines.find((one) => !removed.has(one) && !one.line.basis?.isCredit && keyOf(one, 1) === wanted);
		if (charge) for (const one of [charge, credit]) removed.add(one);
	}
	return lines.filter((one) => !removed.has(one));
}

function keyOf({ line }: IssuedLine, sign: 1 | -1): string {
	const { kind, featureRefId, addonRefId, periodStart, periodEnd, amount, basis } = line;
	const { quantity, billed, trueUp, adjusts, segment, chargeKey } = basis ?? {};
	const named = { kind, featureRefId, addonRefId, periodStart, periodEnd, quantity, billed, trueUp, adjusts, segment };
	return JSON.stringify({ ...named, chargeKey, amount: exact(amount).times(sign).toFixed() });
}

/** Yields bills of usage and of charges in arrears that count as reversed, and whose reversing lines make another amount. */
export function* reversedDifferences(
	named: string,
	calls: ReadonlySet<number>,
	credited: readonly Credited[],
	lines: readonly IssuedLine[],
): Generator<string> {
	const reversed = credited.filter(
		({ charge, credit }) => charge.paymentTime === "IN_ARREARS" && calls.has(credit.createdAt),
	);
	for (const [place, alike] of Map.groupBy(reversed, placeOf)) {
		const [one] = alike;
		if (!one) continue;
		const found = sum(
			linesOf(one, lines)
				.filter(({ line: { basis, amount } }) => (basis ? basis.isCredit === true : exact(amount).lt(0)))
				.map(({ line }) => exact(line.amount)),
		).times(-1);
		const counted = sum(alike.map(({ credit }) => exact(credit.rated.subTotal)));
		if (!found.eq(counted))
			yield `${named}, ${place}: ${counted.toFixed()} counts as reversed, its lines make ${found.toFixed()}`;
	}
}

/** Windows of one length and usage that start together share their lines. */
function placeOf({ charge, period: { startsAt: start, endsAt: end } }: PeriodOfCharge): string {
	if (!isOfUsage(charge)) return `${charge.key} for ${formatPeriod({ start, end })}`;
	const { kind, featureId, interval } = usageKeyOf(charge);
	return `${kind}/${featureId}${interval === undefined ? "" : `/${interval}`} from ${formatPeriod({ start, end })}`;
}

function linesOf({ charge, period }: PeriodOfCharge, lines: readonly IssuedLine[]): readonly IssuedLine[] {
	if (!isOfUsage(charge)) return lines.filter(({ line }) => line.chargeId === period.lineChargeId);
	const { kind, interval } = usageKeyOf(charge);
	const { terms } = charge;
	const featureRefId = (terms && "prices" in terms && terms.prices[0]?.featureRefId) || "";
	return linesOfWindow(lines, { kind, featureRefId, windowStart: period.startsAt, ...(interval && { interval }) });
}

/** Yields windows of usage that overlap another window of their charge: a time that two terms charge. */
export function* overlappingWindows(named: string, bills: readonly PeriodOfCharge[]): Generator<string> {
	const windows = bills.filter(
		({ charge, period }) => isOfUsage(charge) && usageKeyOf(charge).kind === "usage" && period.state === "BILLED",
	);
	for (const [key, of] of Map.groupBy(windows, ({ charge }) => charge.key)) {
		const last = new Map(of.map((one) => [`${one.charge.id} ${one.period.startsAt}`, one.period]));
		let until: number | undefined;
		for (const { startsAt: start, endsAt: end } of [...last.values()].sort((a, b) => a.startsAt - b.startsAt)) {
			if (until !== undefined && start < until)
				yield `${named}, ${key}: bills usage of ${formatPeriod({ start, end })} twice`;
			until = Math.max(until ?? end, end);
		}
	}
}
