import type { Instant } from "../../kernel/clock";
import type { Period } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import type { NewPeriod } from "./operations";
import type { PeriodOfCharge } from "./rules.billed";
import type { ChargeOwner } from "./rules.charge";
import { changeCharge, insertPeriod } from "./store";
import { selectCreditsOf, selectPeriodsEndingFrom, selectPeriodsTouching } from "./store.spend";
import type { ChargePeriodRow, ChargeRow, CreditedAmounts, SettledWindow } from "./table";

/** A bill of a period with the credits of it. */
export interface BilledAmounts extends PeriodOfCharge {
	readonly credited: readonly CreditedAmounts[];
}

/** Returns the bills of an owner's periods that overlap a stretch of time, each with its credits. */
export function amountsWithin(work: Work, { id }: Pick<ChargeOwner, "id">, time: Period): BilledAmounts[] {
	const keyOf = ({ chargeId, startsAt, revision }: Pick<ChargePeriodRow, "chargeId" | "startsAt" | "revision">) =>
		`${chargeId} ${startsAt} ${revision}`;
	const credits = Map.groupBy(selectCreditsOf(work, id, time), keyOf);
	return selectPeriodsTouching(work, id, time).map((one) => ({
		...one,
		credited: (credits.get(keyOf(one.period)) ?? []).map(({ rated }) => rated),
	}));
}

/** Returns the last bill of each period of an owner's charges that ends at a time or later, by the beginning of their keys. */
export const periodsEndingFrom = (
	work: Work,
	{ id }: Pick<ChargeOwner, "id">,
	keys: string,
	at: Instant,
): PeriodOfCharge[] => [
	...new Map(
		selectPeriodsEndingFrom(work, id, keys, at).map((one) => [`${one.charge.id} ${one.period.startsAt}`, one]),
	).values(),
];

/** The bill of a window of a commitment. */
interface BilledWindow extends Pick<NewPeriod, "start" | "end" | "wholeStartsAt" | "rated" | "invoiceId"> {
	readonly settled: SettledWindow;
	/** The last bill of the window; null: this one ends it. */
	readonly last: ChargePeriodRow | null;
}

/** Records the bill of a window. The first one ends the charge. */
export function recordWindow(work: Work, charge: ChargeRow, { start, end, last, ...billed }: BilledWindow): void {
	insertPeriod(work, {
		...{ ...billed, chargeId: charge.id, startsAt: start, revision: last ? last.revision + 1 : 0, endsAt: end },
		...{ state: "BILLED", environmentId: work.actor.environmentId, createdAt: work.now },
	});
	if (!last) changeCharge(work, charge, { billedUntil: end, replacedAt: work.now });
}
