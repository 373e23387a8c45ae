import { array, bigInt, constantFrom, integer, oneof, option, record } from "fast-check";
import type { Granted } from "./oracle";

/** An act on a wallet. A grant is identified by its position in the history. */
export type Act =
	| { readonly act: "grant"; readonly granted: Omit<Granted, "name" | "from" | "until"> & Hours }
	| { readonly act: "pay" | "void"; readonly grant: number }
	| { readonly act: "draw"; readonly amounts: readonly bigint[] }
	| { readonly act: "turn"; readonly hours: number };

/** From now; a grant can start or expire before its creation. */
interface Hours {
	readonly startsIn: number;
	/** The price of the whole grant, in one of two currencies. */
	readonly cost: { readonly amount: string; readonly currency: string };
	/** After its start; null for never. */
	readonly lasts: number | null;
}

// Few different values, so that amounts meet exactly, and times and priorities are often the same.
const amount = oneof(
	integer({ min: 1, max: 12 }).map((whole) => BigInt(whole) * 1_000_000n),
	bigInt({ min: 1n, max: 20_000_000n }),
	bigInt({ min: 1n, max: 10n ** 24n }),
);

const grant = record({
	act: constantFrom("grant" as const),
	granted: record({
		type: constantFrom("PAID" as const, "PROMOTIONAL" as const, "RECURRING" as const),
		amount,
		priority: integer({ min: 1, max: 3 }),
		startsIn: oneof(constantFrom(0, 0, 1), integer({ min: -6, max: 6 })),
		lasts: option(integer({ min: 1, max: 8 })),
		cost: record({
			amount: constantFrom("0", "0", "10", "0.01", "99.99", "1"),
			currency: constantFrom("usd", "eur"),
		}),
		awaitsPayment: integer({ min: 0, max: 4 }).map((chance) => chance === 0),
	}),
});

const which = integer({ min: 0, max: 5 });

export const histories = array(
	oneof(
		{ weight: 4, arbitrary: grant },
		{ weight: 1, arbitrary: record({ act: constantFrom("pay" as const, "void" as const), grant: which }) },
		{
			weight: 4,
			arbitrary: record({
				act: constantFrom("draw" as const),
				amounts: array(oneof(amount, amount, bigInt(0n, 0n)), { minLength: 1, maxLength: 4 }),
			}),
		},
		{ weight: 2, arbitrary: record({ act: constantFrom("turn" as const), hours: integer({ min: 1, max: 5 }) }) },
	),
	{ minLength: 1, maxLength: 24, size: "max" },
);
