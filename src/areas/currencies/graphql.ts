import { eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../graphql/area";
import { byRefId, NoBody, operation } from "../../graphql/input/operation";
import { date, type List, reckoned, text } from "../../graphql/lists/list";
import {
	archiveCurrency,
	type CurrencyHolds,
	createCurrency,
	currenciesByIds,
	getCurrency,
	listAssociatedEntities,
	unarchiveCurrency,
	updateCurrency,
} from "./operations";
import { CurrencyCreate, CurrencyUpdate } from "./schema";
import { type CurrencyRow, customCurrencies } from "./table";
import { viewAssociatedEntity, viewCurrency } from "./view";

const typeDefs = `
	enum CustomCurrencyStatus { ACTIVE ARCHIVED }
	type UnitLabels { singular: String plural: String }
	type CustomCurrency {
		id: ID!
		"The caller's id; it may be used again once its currency is archived."
		refId: String!
		displayName: String!
		description: String
		symbol: String
		units: UnitLabels
		status: CustomCurrencyStatus!
		additionalMetaData: JSON
		archivedAt: DateTime
		environmentId: String!
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	"A plan or an addon that uses a currency."
	type AssociatedEntity { refId: String! displayName: String! type: String! }
	input UnitLabelsInput { singular: String! plural: String! }
	input CreateCustomCurrencyInput {
		refId: String!
		displayName: String!
		description: String
		symbol: String
		units: UnitLabelsInput
		additionalMetaData: JSON
	}
	"What is left out stays; null and the empty text clear."
	input UpdateCustomCurrencyInput {
		refId: String!
		displayName: String
		description: String
		symbol: String
		units: UnitLabelsInput
		additionalMetaData: JSON
	}
	extend type Query {
		"The active one; throws CustomCurrencyNotFound."
		customCurrency(refId: String!): CustomCurrency
		"The published and drafted plans and addons that use it; throws CustomCurrencyNotFound."
		customCurrencyAssociatedEntities(refId: String!): [AssociatedEntity!]
	}
	extend type Mutation {
		createCustomCurrency(input: CreateCustomCurrencyInput!): CustomCurrency
		updateCustomCurrency(input: UpdateCustomCurrencyInput!): CustomCurrency
		archiveCustomCurrency(input: ByRefIdInput!): CustomCurrency
		unarchiveCustomCurrency(input: ByRefIdInput!): CustomCurrency
	}
`;

const currency = fieldsOf<CurrencyRow>({
	scope: "CATALOG:READ",
	fields: {
		units: (row) => viewCurrency(row).units,
		status: ({ archivedAt }) => (archivedAt === null ? "ACTIVE" : "ARCHIVED"),
		additionalMetaData: ({ metadata }) => metadata,
	},
});

const associated = fieldsOf<ReturnType<typeof viewAssociatedEntity>>({ fields: { refId: ({ id }) => id } });

/** Archived ones too, unlike in REST: there the status is the only filter, here it is one of many. */
const list: List = {
	field: "customCurrencies",
	type: "CustomCurrency",
	scope: "CATALOG:READ",
	source: sql`${customCurrencies}`,
	id: customCurrencies.id,
	within: ({ actor }) => eq(customCurrencies.environmentId, actor.environmentId),
	fields: {
		id: text(customCurrencies.id),
		refId: text(customCurrencies.refId),
		displayName: text(customCurrencies.displayName),
		description: text(customCurrencies.description),
		symbol: text(customCurrencies.symbol),
		status: reckoned(
			{ enum: "CustomCurrencyStatus" },
			sql`case when ${customCurrencies.archivedAt} is null then 'ACTIVE' else 'ARCHIVED' end`,
		),
		archivedAt: date(customCurrencies.archivedAt),
		createdAt: date(customCurrencies.createdAt),
		updatedAt: date(customCurrencies.updatedAt),
		environmentId: text(customCurrencies.environmentId),
	},
	rows: currenciesByIds,
};

const read = "CATALOG:READ";
const scope = "CATALOG:WRITE";

export const currenciesGraphql = (holds: CurrencyHolds): GraphqlArea => ({
	typeDefs,
	types: { CustomCurrency: currency, AssociatedEntity: associated },
	queries: {
		customCurrency: { scope: read, resolve: (args, { work }) => getCurrency(work, textOf(args, "refId") ?? "") },
		customCurrencyAssociatedEntities: {
			scope: read,
			resolve: (args, { work }) =>
				listAssociatedEntities(work, textOf(args, "refId") ?? "", holds.usersOf).map(viewAssociatedEntity),
		},
	},
	mutations: {
		createCustomCurrency: operation({ scope, body: CurrencyCreate, run: createCurrency }),
		updateCustomCurrency: operation({
			scope,
			path: byRefId,
			body: CurrencyUpdate,
			run: (work, body, { id }) => updateCurrency(work, id, body),
		}),
		archiveCustomCurrency: operation({
			scope,
			path: byRefId,
			body: NoBody,
			run: (work, _, { id }) => archiveCurrency(work, id, holds),
		}),
		unarchiveCustomCurrency: operation({
			scope,
			path: byRefId,
			body: NoBody,
			run: (work, _, { id }) => unarchiveCurrency(work, id),
		}),
	},
	lists: [list],
});
