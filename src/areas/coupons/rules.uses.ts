import { type Big, type Decimal, exact, sum } from "../../kernel/decimal";
import { roundToMinor } from "../../kernel/money";
import type { LineBasis } from "../pricing/basis";
import type { LineDiscount } from "../pricing/discounts";
import type { LineTax } from "../pricing/tax";

/** The fields of a line that its uses of coupons are counted from. */
export interface UsingLine {
	readonly discounts?: readonly LineDiscount[] | null;
	readonly taxes?: readonly LineTax[] | null;
	readonly basis?: LineBasis | null;
}

/** A document whose amounts count as charged, or as credited. */
export interface UsingDocument {
	readonly id: string;
	readonly currency: string;
	readonly isCreditNote?: boolean;
}

/** Returns the discounts of a document by limited coupons, with included taxes, by application; negative for a credit. */
export function usesOf(
	{ currency, isCreditNote = false }: Omit<UsingDocument, "id">,
	lines: readonly UsingLine[],
): Map<string, Big> {
	const uses = lines.flatMap(({ discounts, taxes, basis }) => {
		// The terms of a line have the exact amounts, as charged. The credit of a part of a line has none.
		const steps = basis?.discounts;
		return (discounts ?? []).flatMap(({ applicationId, amount }, at): [string, Big][] => {
			if (applicationId === undefined) return [];
			const step = steps?.[at];
			if (step) return [[applicationId, exact(step.amount)]];
			const gross = withIncludedTaxes(exact(amount), taxes ?? [], currency);
			return [[applicationId, isCreditNote ? gross.times(-1) : gross]];
		});
	});
	const byApplication = Map.groupBy(uses, ([applicationId]) => applicationId);
	return new Map([...byApplication].map(([id, of]) => [id, sum(of.map(([, amount]) => amount))]));
}

function withIncludedTaxes(net: Big, taxes: readonly LineTax[], currency: string): Big {
	const included = taxes.filter(({ isInclusive }) => isInclusive).map(({ percentage }) => exact(percentage));
	return roundToMinor(net.times(sum(included).times("0.01").plus(1)), currency);
}

/** Returns an amount less the used one, at least zero. */
export function unused(amount: Decimal, used: Big | undefined): Big {
	const left = used ? exact(amount).minus(used) : exact(amount);
	return left.lt(0) ? exact(0) : left;
}
