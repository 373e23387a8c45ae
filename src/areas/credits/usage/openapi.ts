import { operation } from "../../../openapi/operation";
import { walletsQueryDocs, walletsRefusals } from "../balances/openapi";

export const usageOperations = {
	get: operation({
		operationId: "credits.getUsage",
		summary: "Show what a customer consumed over time",
		description:
			"By hours for up to a day, by UTC days beyond; one series for each feature, or with `groupBy` for each combination of the values of up to three dimensions. Pages are pages of series.",
		query: {
			...walletsQueryDocs,
			timeRange: "Back from the end; LAST_MONTH when left out",
			startDate: "Goes before `timeRange`",
			endDate: "Now when left out",
			groupBy: "One to three names of dimensions, comma-separated",
		},
		refusals: walletsRefusals,
	}),
};
