import { operation } from "../../../openapi/operation";
import { walletsQueryDocs, walletsRefusals } from "../balances/openapi";

export const usageOperations = {
	get: operation({
		operationId: "credits.getUsage",
		summary: "Show a customer's consumption over time",
		description:
			"By hours for ranges of up to a day, by UTC days for longer ones. One series for each feature, or with `groupBy` for each combination of the values of up to three dimensions. A page contains series.",
		query: {
			...walletsQueryDocs,
			timeRange: "The range before the end; default LAST_MONTH",
			startDate: "Takes precedence over `timeRange`",
			endDate: "Default: now",
			groupBy: "One to three names of dimensions, comma-separated",
		},
		refusals: walletsRefusals,
	}),
};
