import { operation } from "../../../openapi/operation";

export const revenueOperations = {
	get: operation({
		operationId: "credits.revenue",
		summary: "Show revenue from credits",
		description:
			"Revenue by currency of credits, type of grant and currency of cost, followed by sums. `granted` is the cost of grants that became active in the range. `recognised` was consumed, `breakage` expired and `voided` was voided in the range. `deferred` is the rest at its end. A credit is worth cost / amount of its grant. `granted` equals `recognised` + `breakage` + `voided` + the change of `deferred`. The range is widened to whole days, UTC. `format=csv` or `Accept: text/csv` returns CSV with exact decimals.",
		query: {
			from: ["The first day; default: the beginning", "2026-01-01T00:00:00Z"],
			to: "The end; default: all revenue until now",
			currencyId: "Only this currency of credits",
			format: "`json`, unless `Accept` requests CSV",
		},
		refusals: ["CustomCurrencyNotFound", "InvalidArgumentError"],
	}),
};
