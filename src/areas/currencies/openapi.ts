import { operation } from "../../openapi/operation";

const path = { id: ["The currency's id", "currency-ai-credits"] } as const;

export const currencyOperations = {
	list: operation({
		operationId: "credits.customCurrencies.list",
		summary: "List custom currencies",
		query: { status: "Only currencies in these states" },
	}),
	create: operation({
		operationId: "credits.customCurrencies.create",
		summary: "Create a custom currency",
		description: "A currency of your own, such as credits, that plans grant and usage consumes.",
		example: {
			id: "currency-tokens",
			displayName: "Tokens",
			symbol: "¤",
			units: { singular: "token", plural: "tokens" },
		},
		refusals: ["DuplicatedEntityNotAllowed", "TooManyCustomCurrencies"],
	}),
	update: operation({
		operationId: "credits.customCurrencies.update",
		summary: "Change a custom currency",
		path,
		example: { description: "Pays for answers of the assistant." },
		refusals: ["CustomCurrencyNotFound"],
	}),
	archive: operation({
		operationId: "credits.customCurrencies.archive",
		summary: "Archive an unused custom currency",
		path: { id: ["The currency's id", "currency-beta"] },
		refusals: ["CustomCurrencyNotFound"],
	}),
	unarchive: operation({
		operationId: "credits.customCurrencies.unarchive",
		summary: "Unarchive a custom currency",
		path: { id: ["The currency's id", "currency-retired"] },
		refusals: ["CustomCurrencyNotFound"],
	}),
	listAssociatedEntities: operation({
		operationId: "credits.customCurrencies.listAssociatedEntities",
		summary: "List the plans and addons that use a custom currency",
		path,
		refusals: ["CustomCurrencyNotFound"],
	}),
};
