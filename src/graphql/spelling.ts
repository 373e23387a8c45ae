import { toWire } from "../kernel/decimal";
import type { Amount } from "../kernel/money";

/** Where GraphQL spells a value otherwise than REST (graphql.md, section 2). */
const meterTypes = { FLUCTUATING: "Fluctuating", INCREMENTAL: "Incremental", None: "None" } as const;

export const meterTypeOf = ({ meterType }: { readonly meterType: keyof typeof meterTypes }): string =>
	meterTypes[meterType];

/** Whole currency units; the currency is upper case. */
export const moneyOf = ({ amount, currency }: Amount) => ({
	amount: toWire(amount),
	currency: currency.toUpperCase(),
});

export const moneyOrNull = (amount: Amount | null) => amount && moneyOf(amount);
