import { operation } from "../../../openapi/operation";

export const auditOperations = {
	revenue: operation({
		operationId: "credits.revenue",
		summary: "Show what became of the cost of credits",
		description:
			"By currency of credits, type of grant and currency of cost: what grants cost that became effective in the time, what of all grants is deferred at its end, and what was recognised (consumed), is breakage (expired) or was voided within it; sums follow. A credit is worth cost / amount of its grant. `granted` is `recognised` + `breakage` + `voided` + what `deferred` has changed by. Whole days, UTC: `from` and `to` are widened to them. As CSV, with exact decimals, by `format=csv` or `Accept: text/csv`.",
		query: {
			from: ["The first day; the beginning when left out", "2026-01-01T00:00:00Z"],
			to: "The end; all that has happened when left out",
			currencyId: "Only this currency of credits",
			format: "`json`, unless `Accept` asks for CSV",
		},
		refusals: ["CustomCurrencyNotFound", "InvalidArgumentError"],
	}),
};
