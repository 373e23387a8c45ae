import { type Decimal, isLess, minus, zero } from "../../kernel/decimal";

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
	let wanted = amount;
	if (!isLess(zero, wanted)) return { parts, shortfall: zero };
	for (const grant of open) {
		const { remaining } = grant;
		if (!isLess(zero, remaining)) continue;
		if (!isLess(remaining, wanted)) return { parts: [...parts, { grant, amount: wanted }], shortfall: zero };
		parts.push({ grant, amount: remaining });
		wanted = minus(wanted, remaining);
	}
	return { parts, shortfall: wanted };
}
