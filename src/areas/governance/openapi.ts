import { type OperationNotes, operation } from "../../openapi/operation";

const path = { id: ["The customer's id", "customer-acme"] } as const;

const off = "GovernanceNotEnabled";

const itself =
	"All items are applied, or none. An omitted field keeps its value. Returns the items in the order of the request.";

/**
 * The texts of the operations under one prefix. Under `/api/v1-beta` they have the names of the interface. Under `/api/v1` they have the same
 * names without `v1Beta`.
 */
export function governanceOperations(prefix: "/api/v1-beta" | "/api/v1") {
	const isBeta = prefix === "/api/v1-beta";
	const named = (name: string, notes: Omit<OperationNotes, "operationId">) =>
		operation({ operationId: isBeta ? `v1Beta.${name}` : name, ...notes });
	return {
		listEntityTypes: named("entityTypes.list", {
			summary: "List the kinds of entities",
			refusals: [off],
		}),
		putEntityTypes: named("entityTypes.upsert", {
			summary: "Create or change kinds of entities",
			description: `Kinds of entities that budgets govern: teams, users, agents, models. A usage belongs to the entity that the dimension \`attributionKeys\` names. A kind has at most two keys, which are alternatives, and no two kinds share a key. A new kind needs \`displayName\` and \`attributionKeys\`. With \`createsEntities\`, usage that names an unknown entity creates it, below the entity of \`parentEntityTypeId\` that the usage also names, with the budgets of \`defaultAssignments\`. ${itself}`,
			example: { types: [{ id: "team", displayName: "Team", attributionKeys: ["teamId"] }] },
			refusals: [off, "FeatureNotFound", "CustomCurrencyNotFound", "UnsupportedFeatureType"],
		}),
		listEntities: named("customers.entities.list", {
			summary: "List a customer's entities",
			path,
			query: {
				entityTypeId: "Only entities of this kind",
				includeArchived: "`true` includes archived entities",
			},
			refusals: [off, "CustomerNotFound"],
		}),
		putEntities: named("customers.entities.upsert", {
			summary: "Create or change a customer's entities",
			description: `A new entity needs \`entityTypeId\`, which never changes. An entity's id is unique among all entities of the customer. Metadata is merged, and an empty value deletes its key. At \`expiresAt\` the entity is archived. ${itself}`,
			path,
			example: { entities: [{ id: "research", entityTypeId: "team", displayName: "Research" }] },
			refusals: [off, "CustomerNotFound", "EntityIsArchivedError", "InvalidMetadataError"],
		}),
		retrieveEntity: named("customers.entities.retrieve", {
			summary: "Show an entity",
			path: { ...path, entityId: ["The entity's id", "research"] },
			refusals: [off, "CustomerNotFound"],
			uncoded: { 404: "The customer has no such entity." },
		}),
		archiveEntities: named("customers.entities.archive", {
			summary: "Archive entities",
			description:
				"Archived entities leave the lists. Their budgets neither limit nor count until the entities are unarchived. Budgets of their parents and children stay.",
			path,
			example: { ids: ["research"] },
			refusals: [off, "CustomerNotFound"],
			uncoded: { 404: "The customer has no such entity." },
		}),
		unarchiveEntities: named("customers.entities.unarchive", {
			summary: "Unarchive entities",
			description: "Their budgets limit and count again. Usage in between was not counted.",
			path,
			example: { ids: ["research"] },
			refusals: [off, "CustomerNotFound"],
			uncoded: { 404: "The customer has no such entity." },
		}),
		listAssignments: named("customers.assignments.list", {
			summary: "List a customer's budgets",
			path,
			query: {
				entityId: "Only budgets of this entity",
				featureId: "Only budgets of this feature; send this or `currencyId`",
				currencyId: "Only budgets of this custom currency",
			},
			refusals: [off, "CustomerNotFound"],
		}),
		putAssignments: named("customers.assignments.upsert", {
			summary: "Create or change a customer's budgets",
			description: `A budget limits what an entity uses of a feature or a currency in each window of \`cadence\`. The entity, the feature or currency, and the set \`scopeEntityIds\` identify it. A budget with a scope applies to usage that belongs to all entities of the scope. \`parentId\` places the entity in a tree: usage counts at every level, and every level limits it. Omitted keeps the parent, null makes a root. Only leaves move, and a tree has at most four levels. A new budget needs \`usageLimit\` (null: no limit) and \`cadence\`, a duration such as P1M, or LIFETIME for a limit that never resets. With \`hasSoftLimit\`, usage continues beyond the limit. \`allocated\` reserves the limit at the parent, so that its other children cannot use it. ${itself}`,
			path,
			example: {
				assignments: [{ entityId: "research", currencyId: "currency-ai-credits", usageLimit: 5000, cadence: "P1M" }],
			},
			refusals: [
				...([off, "CustomerNotFound", "FeatureNotFound", "CustomCurrencyNotFound", "EntityIsArchivedError"] as const),
				"UnsupportedFeatureType",
			],
		}),
		readTree: operation({
			operationId: isBeta ? "events.beta.customers.retrieveGovernance" : "events.customers.retrieveGovernance",
			summary: "Show a customer's budgets with usage",
			description:
				"The budgets of the named features and currencies, with their usage in the current window, sorted by utilization. Without `featureIds` and `currencyIds`, the tree alone: all budgets, without limits and usage. `includeUsage=true` shows limits and usage of all budgets.",
			path,
			query: {
				featureIds: "The features whose budgets to show",
				currencyIds: "The custom currencies whose budgets to show",
				includeUsage: "Without the two: limits and usage of all budgets",
				entityTypeIds: "Only entities of these kinds",
				entityIdSearch: "Only entities with this text in their id or name, in any letter case",
				minUtilization: "Only budgets with at least this utilization: 0.8 is 80 percent",
				scope: "`nodeWide`: only budgets without a scope; `scoped`: only budgets with one",
				sortBy: "The sorted field; null values come last",
				order: "The direction; `desc` by default",
			},
			refusals: [off, "CustomerNotFound"],
		}),
	};
}
