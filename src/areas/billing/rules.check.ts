import { type Instant, toIso } from "../../kernel/clock";
import { exact } from "../../kernel/decimal";
import type { BilledPeriod } from "./rules.billed";
import { creditFor } from "./rules.credit";
import { paidUntil } from "./rules.periods";
import type { ChargeCreditRow, ChargePeriodRow } from "./table";

/**
 * Returns the faults of one key's periods, in order of time: they tile its time up to `billedUntil`, and their figures
 * add up. A gap is allowed before `startsAt`, since a window can be moved.
 */
export function checkTiling(
	named: string,
	periods: readonly BilledPeriod[],
	{ startsAt, billedUntil }: { readonly startsAt: Instant | null; readonly billedUntil: Instant | null },
): string[] {
	const findings = periods.flatMap((period, at) => {
		const before = periods[at - 1];
		if (!before || reachesTo(before, period.start)) return [];
		if (before.end < period.start && period.start <= (startsAt ?? period.start)) return [];
		const what = before.end > period.start ? "is invoiced twice for some time" : "is not invoiced for some time";
		return [`${named} ${what} before ${toIso(period.start)}`];
	});
	const last = periods.at(-1);
	const isSo = last ? reachesTo(last, billedUntil) : billedUntil === null;
	if (!isSo) findings.push(`${named} is not invoiced as far as it says`);
	for (const { rated, start } of periods) {
		const total = exact(rated.subTotal).minus(rated.discount).plus(rated.tax);
		if (!total.eq(rated.total))
			findings.push(
				`${named} says that ${rated.total} is invoiced from ${toIso(start)} on, its parts make ${total.toFixed()}`,
			);
	}
	return findings;
}

/** A period reaches to its end, or to the end of its paid time if it was cut short and the charge then got a later end. */
const reachesTo = ({ charge, end }: BilledPeriod, at: Instant | null): boolean =>
	at === end || at === paidUntil({ ...charge, endsAt: end, billedUntil: end });

/** Returns the fault of a credit: it reverses exactly its period. */
export function checkCredit(named: string, period: ChargePeriodRow, credit: ChargeCreditRow): string[] {
	const { fromAt, toAt, rated } = creditFor(period, []);
	const isWhole = credit.fromAt === fromAt && credit.toAt === toAt;
	if (isWhole && exact(credit.rated.total).eq(rated.total)) return [];
	return [
		`${named}: ${rated.total} was billed from ${toIso(fromAt)} to ${toIso(toAt)}, and ${credit.rated.total} counts as credited from ${toIso(credit.fromAt)} to ${toIso(credit.toAt)}`,
	];
}
