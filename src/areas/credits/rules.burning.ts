import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";

/** The `expiryRank` of a grant that does not expire. */
export const neverExpires = Number.MAX_SAFE_INTEGER;

/** A part of a consumption: what it takes of one grant. */
export interface Part<Grant> {
	readonly grant: Grant;
	readonly amount: Decimal;
}

export interface Burned<Grant> {
	readonly parts: ReadonlyArray<Part<Grant>>;
	/** What no grant covers. */
	readonly shortfall: Decimal;
}

/** Takes an amount of grants that are given in the order of consumption; asks for no more of them than it takes. */
export function burn<Grant extends { readonly remaining: Decimal }>(
	open: Iterable<Grant>,
	amount: Decimal,
): Burned<Grant> {
	const parts: Array<Part<Grant>> = [];
	let wanted = exact(amount);
	if (wanted.lte(0)) return { parts, shortfall: zero };
	for (const grant of open) {
		const remaining = exact(grant.remaining);
		if (remaining.lte(0)) continue;
		if (remaining.gte(wanted)) return { parts: [...parts, { grant, amount: toDecimal(wanted) }], shortfall: zero };
		parts.push({ grant, amount: grant.remaining });
		wanted = wanted.minus(remaining);
	}
	return { parts, shortfall: toDecimal(wanted) };
}
