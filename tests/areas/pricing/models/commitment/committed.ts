import type { Till } from "../../../subscriptions/billing";

/** A price of calls with a commitment; `more` has fields of its price period. */
export const committed = (commitment: object, more: object = { price: { amount: 2 } }, model: object = {}) => ({
	...{ billingModel: "USAGE_BASED", featureId: "calls", ...model },
	pricePeriods: [{ billingPeriod: "MONTHLY", ...more, commitment }],
});

export const hourly = { interval: { unit: "HOUR", count: 1 } };

/** Sends the usage of hours from the start of a day. */
export async function useByHour({ use }: Pick<Till, "use">, date: string, units: readonly number[]): Promise<void> {
	for (const [hour, value] of units.entries())
		if (value > 0) await use("calls", value, `${date}T${String(hour).padStart(2, "0")}:30:00Z`);
}

/** Advances the clock, and sends usage of that time. */
export async function useAt({ advance, use }: Pick<Till, "advance" | "use">, value: number, at: string): Promise<void> {
	await advance(at);
	await use("calls", value, at);
}
