import { fail } from "../../kernel/errors";
import {
	type AnyInterval,
	type BillingPeriod,
	lengthOf,
	type NamedPeriod,
	periodOf,
	periodText,
} from "./rules.billing-period";

/** The period of a request, by its name, its interval or both. */
export interface RequestedPeriod {
	readonly billingPeriod?: NamedPeriod | "CUSTOM" | undefined;
	readonly billingInterval?: AnyInterval | undefined;
}

/** Ten years. */
export const lengthMax = 10 * lengthOf("ANNUALLY");

/**
 * Returns the period that a request names; undefined if it names none. `where` is the path of the two fields. Throws
 * BadUserInput.
 */
export function requestedPeriod(
	{ billingPeriod, billingInterval }: RequestedPeriod,
	where: string,
): BillingPeriod | undefined {
	if (billingInterval === undefined) {
		if (billingPeriod === "CUSTOM")
			throw fail(
				"BadUserInput",
				`${where}: 'billingPeriod' CUSTOM needs 'billingInterval', such as {"unit": "DAY", "count": 45}.`,
			);
		return billingPeriod;
	}
	const period = periodOf(billingInterval);
	if (lengthOf(period) > lengthMax)
		throw fail("BadUserInput", `${where}: 'billingInterval' has more than ten years; choose a smaller 'count'.`);
	if (billingPeriod !== undefined && billingPeriod !== "CUSTOM" && billingPeriod !== period)
		throw fail(
			"BadUserInput",
			`${where}: 'billingPeriod' ${billingPeriod} and 'billingInterval' (${periodText(period)}) differ; leave one of them out.`,
		);
	return period;
}
