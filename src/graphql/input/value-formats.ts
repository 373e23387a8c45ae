import { toWire } from "../../kernel/decimal";
import type { Money } from "../../kernel/money";

/** Values with another format than in REST (docs/interface/graphql.md). */
const meterTypes = { FLUCTUATING: "Fluctuating", INCREMENTAL: "Incremental", None: "None" } as const;

export const meterTypeOf = ({ meterType }: { readonly meterType: keyof typeof meterTypes }): string =>
	meterTypes[meterType];

/** The reverse mapping, for inputs. */
export const restMeterTypes: ReadonlyMap<string, string> = new Map(
	Object.entries(meterTypes).map(([rest, graphql]) => [graphql, rest]),
);

/** The format of reasons and schedules, which REST writes in capitals (docs/interface/graphql.md). */
export const pascalCase = (value: string): string =>
	value !== value.toUpperCase()
		? value
		: value
				.split("_")
				.map((word) => `${word.charAt(0)}${word.slice(1).toLowerCase()}`)
				.join("");

/** Whole currency units; the currency is upper case. */
export const moneyOf = ({ amount, currency }: Money) => ({
	amount: toWire(amount),
	currency: currency.toUpperCase(),
});

const configurationTypes = {
	YEAR: ["YearlyResetPeriodConfig", "yearlyAccordingTo"],
	MONTH: ["MonthlyResetPeriodConfig", "monthlyAccordingTo"],
	WEEK: ["WeeklyResetPeriodConfig", "weeklyAccordingTo"],
	DAY: null,
	HOUR: null,
} as const;

/** A member of the union ResetPeriodConfiguration. Each member has its own name of the field (docs/interface/graphql.md). */
export function resetConfigurationOf(
	period: keyof typeof configurationTypes | null,
	anchor: string | null | undefined,
) {
	const type = period === null ? null : configurationTypes[period];
	if (!type || !anchor) return null;
	return { __typename: type[0], accordingTo: anchor, [type[1]]: anchor };
}
