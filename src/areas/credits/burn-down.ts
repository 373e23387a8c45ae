import { type Decimal, isLess, minus, zero } from "../../kernel/decimal";
import type { CreditGrantRow } from "./table";

/** The `expiryRank` of a grant that does not expire. */
export const neverExpires = Number.MAX_SAFE_INTEGER;

/**
 * The order in which grants are consumed, as columns: the lower priority number, the earlier expiry (none last), promotional and
 * recurring before paid, the earlier effective date, then the older grant (docs/interface/credits.md). `compareGrants`, the query
 * of `openGrants` and the index `credit_grants_burn` use this order.
 */
export const burnDownOrder = ["priority", "expiryRank", "isPaid", "effectiveAt", "createdAt", "id"] as const;

/**
 * Less than zero where the first grant is consumed before the second. Tests compare the query with it.
 * @internal
 */
export function compareGrants(
	one: Pick<CreditGrantRow, (typeof burnDownOrder)[number]>,
	other: Pick<CreditGrantRow, (typeof burnDownOrder)[number]>,
): number {
	for (const column of burnDownOrder) {
		if (one[column] < other[column]) return -1;
		if (one[column] > other[column]) return 1;
	}
	return 0;
}

/** The part of a consumption that one grant covers. */
export interface Part<Grant> {
	readonly grant: Grant;
	readonly amount: Decimal;
}

export interface Burned<Grant> {
	readonly parts: ReadonlyArray<Part<Grant>>;
	/** The amount that no grant covers. */
	readonly shortfall: Decimal;
}

/** Consumes an amount from grants in the given order. Reads no further grant than it needs. */
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
