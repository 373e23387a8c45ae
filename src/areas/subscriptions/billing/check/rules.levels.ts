import type { IssuedLine } from "../../../invoices/check/operations.documents";
import { costOfLevels } from "../../../pricing/level-cost";

/** Yields lines whose levels make another cost or average than they charge. */
export function* levelDifferences(lines: readonly IssuedLine[]): Generator<string> {
	for (const { named, line } of lines) {
		const { charge, levels, quantity, unitTransformation = null } = line.basis ?? {};
		if (!charge || !levels?.times || quantity === undefined) continue;
		const priced = { charge: { ...charge, minUnitQuantity: null, maxUnitQuantity: null }, unitTransformation };
		const made = costOfLevels(priced, levels.times, levels.wholeTime);
		if (made.cost !== quantity) yield `${named}: charges ${quantity}, its levels make ${made.cost}`;
		if (made.levels.average !== levels.average)
			yield `${named}: states the average ${levels.average}, its levels make ${made.levels.average}`;
	}
}
