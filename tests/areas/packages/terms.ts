import type { World } from "../../support/world";

/** Short words for the entitlements of the plan `pro`. */
export const post = ({ call }: World, ...entitlements: unknown[]) =>
	call("POST", "/plans/pro/entitlements", { body: { entitlements } });
export const feature = (id: string, terms: object = {}) => ({ type: "FEATURE", id, ...terms });
export const credit = (terms: object = {}) => ({ type: "CREDIT", id: "gold", amount: 100, cadence: "MONTH", ...terms });

/** The reset configurations of all three periods, as clients send them. */
export const filledIn = {
	yearlyResetPeriodConfiguration: { accordingTo: "SubscriptionStart" },
	monthlyResetPeriodConfiguration: { accordingTo: "StartOfTheMonth" },
	weeklyResetPeriodConfiguration: { accordingTo: "EveryFriday" },
};
