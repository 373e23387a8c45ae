import { operation } from "../../../openapi/operation";
import { walletsQueryDocs, walletsRefusals } from "../balances/openapi";

export const ledgerOperations = {
	list: operation({
		operationId: "credits.listLedger",
		summary: "List the movements of a customer's credits",
		description:
			"The newest first. Each entry names one grant. The amount is never below zero; the type defines the direction. The ledger is append-only.",
		query: { ...walletsQueryDocs, eventType: "Only these types, comma-separated" },
		refusals: walletsRefusals,
	}),
};
