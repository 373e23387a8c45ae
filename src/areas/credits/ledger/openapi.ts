import { operation } from "../../../openapi/operation";
import { walletsQueryDocs, walletsRefusals } from "../balances/openapi";

export const ledgerOperations = {
	list: operation({
		operationId: "credits.listLedger",
		summary: "List the movements of a customer's credits",
		description:
			"The newest first. Each entry names one grant; the amount is never below zero, the type says the direction. The ledger is appended only.",
		query: { ...walletsQueryDocs, eventType: "Of these types, comma-separated" },
		refusals: walletsRefusals,
	}),
};
