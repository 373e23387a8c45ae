import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { earliest } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { selectHeld } from "./store";

export interface Held {
	readonly amount: Decimal;
	/** When the first of the reservations expires; null where nothing is held. */
	readonly until: Instant | null;
}

export const nothingHeld: Held = { amount: zero, until: null };

/** What reservations hold of a feature now: it counts against the limit, and is not used yet. */
export function heldUsage(
	work: Work,
	of: { readonly customerId: string; readonly featureId: string; readonly resourceId: string | null },
): Held {
	const rows = selectHeld(work, { ...of, resourceRef: of.resourceId ?? "" });
	if (rows.length === 0) return nothingHeld;
	return {
		amount: toDecimal(sum(rows.map(({ amount }) => exact(amount)))),
		until: earliest(rows.map(({ expiresAt }) => expiresAt)),
	};
}
