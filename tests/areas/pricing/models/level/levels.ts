import type { Till } from "../../../subscriptions/billing";

/** A price of the level of seats; `price` has the fields of its price period. */
export const measured = (usageMeasure: string, price: object, model: object = {}) => ({
	...{ billingModel: "USAGE_BASED", featureId: "seats", usageMeasure, ...model },
	pricePeriods: [{ billingPeriod: "MONTHLY", ...price }],
});

export const tiersOf = (...tiers: ReadonlyArray<readonly [upTo: number | null, amount: number]>) => ({
	tiers: tiers.map(([upTo, amount]) => ({ ...(upTo !== null && { upTo }), unitPrice: { amount } })),
});

/** Reports the level of seats at a time. */
export const setSeats = (
	{ insist }: Pick<Till, "insist">,
	value: number,
	createdAt: string,
	updateBehavior: "SET" | "DELTA" = "SET",
): Promise<unknown> =>
	insist("POST", "/usage", {
		usages: [{ customerId: "acme", featureId: "seats", value, updateBehavior, createdAt }],
	});
