import type { UsageState } from "../../../billing/table";
import type { IssuedLine } from "../../../invoices/check/operations.documents";
import { costOfWindows } from "../../../pricing/commitments/commitment-cost";

/** Yields lines whose windows make another cost than they charge. */
export function* commitmentDifferences(lines: readonly IssuedLine[]): Generator<string> {
	for (const { named, line } of lines) {
		const { charge, commitment, quantity } = line.basis ?? {};
		if (!charge?.priceTerms?.commitment || !commitment?.stated || quantity === undefined) continue;
		const made = costOfWindows(
			{ charge: { ...charge, minUnitQuantity: null, maxUnitQuantity: null } },
			commitment.stated,
		);
		if (made !== quantity) yield `${named}: charges ${quantity}, the windows of its commitment make ${made}`;
	}
}

/** Returns what the state of a billed period lacks to count its windows again; undefined if it lacks nothing. */
export function unstoredWindows(state: UsageState | null): string | undefined {
	const { commitment, minimums } = state ?? {};
	if (!commitment) return "the windows of its commitment are not stored";
	return minimums && !commitment.isEnded ? "it has ended, and the last window of its commitment is open" : undefined;
}
