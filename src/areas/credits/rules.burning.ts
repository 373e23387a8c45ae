import type { Instant } from "../../kernel/clock";
import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";

/** What decides which grant is consumed first. */
export interface BurnPlace {
	readonly id: string;
	/** Lower is used first. */
	readonly priority: number;
	/** Milliseconds; the end of time for a grant that does not expire. */
	readonly expiryRank: number;
	readonly isPaid: boolean;
	readonly effectiveAt: Instant;
	readonly createdAt: Instant;
}

export const neverExpires = Number.MAX_SAFE_INTEGER;

/**
 * The order of consumption: priority, then sooner expiry (none last), then what was given before what was paid, then earlier
 * effect, then age. Source: docs/interface/credits.md. The index `credit_grants_burn` has the same order.
 */
export const inBurnOrder = (one: BurnPlace, other: BurnPlace): number =>
	one.priority - other.priority ||
	one.expiryRank - other.expiryRank ||
	Number(one.isPaid) - Number(other.isPaid) ||
	one.effectiveAt - other.effectiveAt ||
	one.createdAt - other.createdAt ||
	(one.id < other.id ? -1 : 1);

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
