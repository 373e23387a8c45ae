import { exact, zero } from "../../../../kernel/decimal";
import type { PeriodOfCharge } from "../../../billing/rules.billed";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import { currencyOfCharge } from "../../../pricing/models/charge";
import { costOfSegments, segmentKey, segmentText } from "../../../pricing/segment-cost";
import { stepsOfLines, windowDifferences } from "./rules";

/**
 * Yields gaps between the bills of each segment of a window, and a cost that is not that of its segments. Where one line charges all
 * segments, their usage is not stored.
 */
export function* segmentDifferences(
	named: string,
	lines: readonly IssuedLine[] | undefined,
	{ charge: { terms }, period: { usageQuantity, usageState } }: PeriodOfCharge,
): Generator<string> {
	const { lines: billed } = usageState?.segments ?? {};
	if (!billed) return;
	const own = Map.groupBy(lines ?? [], ({ line: { basis } }) => (basis?.segment ? segmentKey(basis.segment) : ""));
	own.delete("");
	for (const segment of lines ? billed : []) {
		const name = segmentText(segment);
		const steps = stepsOfLines(own.get(segmentKey(segment)) ?? []);
		own.delete(segmentKey(segment));
		yield* windowDifferences(name === "" ? named : `${named} (${name})`, "usage", steps, segment.quantity);
	}
	for (const one of [...own.values()].flat()) yield `${one.named}: charges a segment that does not count as billed`;
	if (terms && "prices" in terms)
		for (const price of terms.prices) {
			const currency = currencyOfCharge(price.charge);
			if (currency === undefined) continue;
			const { cost } = costOfSegments(price, billed, undefined, currency);
			if (!exact(cost).eq(usageQuantity ?? zero))
				yield `${named}: ${usageQuantity} counts as billed, its segments make ${cost}`;
		}
}
