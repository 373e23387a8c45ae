import type { Instant } from "../../../kernel/clock";
import { type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { earliest } from "../../../kernel/period";
import type { Work } from "../../../kernel/work";
import { selectReserved } from "./store";

export interface Reserved {
	readonly amount: Decimal;
	/** When the first reservation expires; null without reservations. */
	readonly until: Instant | null;
}

export const nothingReserved: Reserved = { amount: zero, until: null };

/** Returns the reserved amount of a feature, which counts against its limit. */
export function reservedUsage(
	work: Work,
	of: { readonly customerId: string; readonly featureId: string; readonly resourceId: string | null },
): Reserved {
	const rows = selectReserved(work, { ...of, resourceRef: of.resourceId ?? "" });
	if (rows.length === 0) return nothingReserved;
	return {
		amount: toDecimal(sum(rows.map(({ amount }) => exact(amount)))),
		until: earliest(rows.map(({ expiresAt }) => expiresAt)),
	};
}
