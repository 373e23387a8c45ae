import type { Instant } from "../../../../kernel/clock";
import type { Period } from "../../../../kernel/period";
import { type Work, workAt } from "../../../../kernel/work";
import type { SubscriptionRow } from "../../table";
import type { Sale } from "../../terms/sale";
import {
	type BilledStretch,
	type RunningCharge,
	runningCharges,
	startCharges,
	stretchesUntil,
	unbilledFrom,
	wholeOf,
} from "../arrears";
import type { BillSection } from "../rules.bill";
import type { ReversedBill } from "./reversed-lines";
import { billAt, termsOfBill, workAtEnd } from "./terms-of-then";

/** Stretches of fees and units in arrears that a change with an earlier date rates again. */
export interface ArrearsSince {
	readonly stretches: readonly BilledStretch[];
	readonly sections: readonly BillSection[];
}

interface Since {
	/** The subscription after the change, with its billing cycle. */
	readonly row: SubscriptionRow;
	readonly sale: Sale;
	/** From when the new terms apply. */
	readonly from: Instant;
	/** The start of the running period. */
	readonly until: Instant;
	/** The whole period that contains the date. */
	readonly whole: Period;
	readonly reversed: readonly ReversedBill[];
}

/** Starts the charges in arrears of the new terms at an earlier date, and rates them up to the running period. */
export function arrearsSince(work: Work, { row, sale, from, until, whole, reversed }: Since): ArrearsSince {
	startCharges(work, row, sale, { start: from, whole });
	const stretches = runningCharges(work, row)
		.filter((one) => unbilledFrom(one) < until)
		.flatMap((one) => [...stretchesOf(work, row, one, until)])
		.toSorted((one, other) => one.start - other.start);
	return { stretches, sections: sectionsOf(work, row, stretches, reversed) };
}

/** Yields the stretches of a running charge up to a time, one for each period. */
function* stretchesOf(work: Work, row: SubscriptionRow, one: RunningCharge, until: Instant): Generator<BilledStretch> {
	for (let at = unbilledFrom(one); at < until; ) {
		const { end } = wholeOf(row, one, at);
		const next = end < until ? end : until;
		yield* stretchesUntil(work, row, next, { of: [{ ...one, charge: { ...one.charge, billedUntil: at } }] });
		at = next;
	}
}

/** Rates the stretches of the former terms up to the date of the change. */
export function arrearsUntil(
	work: Work,
	row: SubscriptionRow,
	charges: readonly RunningCharge[],
	{ from, reversed }: { readonly from: Instant; readonly reversed: readonly ReversedBill[] },
): ArrearsSince {
	const stretches = stretchesUntil(work, row, from, { of: charges });
	return { stretches, sections: sectionsOf(workAt(work, from), row, stretches, reversed) };
}

/** Each stretch has the discount and the taxes of the bill that it replaces. */
const sectionsOf = (
	work: Work,
	row: SubscriptionRow,
	stretches: readonly BilledStretch[],
	reversed: readonly ReversedBill[],
): BillSection[] =>
	stretches.map(({ item, start, end }) => ({
		...termsOfBill(workAtEnd(work, end), row, billAt(reversed, start)),
		items: [item],
	}));
