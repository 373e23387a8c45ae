import { byRefIdQuery, fieldsOf, type GraphqlArea } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import { columns, statusUntilArchived, tableList } from "../../graphql/lists/list";
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
import { AssociatedEntity, CurrencyCreate, CurrencyUpdate, CustomCurrency } from "./schema";
import { type CurrencyRow, customCurrencies } from "./table";
import { viewAssociatedEntity, viewCurrency } from "./view";

const schemas = { CustomCurrency, AssociatedEntity, CurrencyCreate, CurrencyUpdate };

const typeDefs = `
	enum CustomCurrencyStatus { ACTIVE ARCHIVED }
	type CustomCurrency from CustomCurrency {
		id
		"The caller's id. It can be used again after its currency is archived."
		refId
		* units as UnitLabels { * } status: CustomCurrencyStatus! additionalMetaData archivedAt environmentId
		createdAt updatedAt
	}
	"A plan or an addon that uses a currency."
	type AssociatedEntity from AssociatedEntity { refId * }
	input UnitLabelsInput from CurrencyCreate.units
	input CreateCustomCurrencyInput from CurrencyCreate
	"Omitted members stay. Null and the empty text clear."
	input UpdateCustomCurrencyInput from CurrencyUpdate { refId * }
`;

const currency = fieldsOf<CurrencyRow>({
	scope: "CATALOG:READ",
	fields: {
		units: (row) => viewCurrency(row).units,
		status: ({ archivedAt }) => (archivedAt === null ? "ACTIVE" : "ARCHIVED"),
	},
});

const associated = fieldsOf<ReturnType<typeof viewAssociatedEntity>>({ fields: { refId: ({ id }) => id } });

/** Includes archived currencies, unlike REST: there the status is the only filter. */
const list = tableList(customCurrencies, {
	...{ field: "customCurrencies", type: "CustomCurrency", scope: "CATALOG:READ", rows: currenciesByIds },
	fields: {
		...columns(customCurrencies, "id refId displayName description symbol"),
		status: statusUntilArchived("CustomCurrencyStatus", "ACTIVE", customCurrencies.archivedAt),
		...columns(customCurrencies, "archivedAt createdAt updatedAt environmentId"),
	},
});

const read = "CATALOG:READ";
const write = mutationsOf({ returns: "CustomCurrency", scope: "CATALOG:WRITE" });

export const currenciesGraphql = (holds: CurrencyHolds): GraphqlArea => ({
	schemas,
	typeDefs,
	types: { CustomCurrency: currency, AssociatedEntity: associated },
	queries: {
		customCurrency: byRefIdQuery("CustomCurrency", read, "The active one. Throws CustomCurrencyNotFound.", getCurrency),
		customCurrencyAssociatedEntities: byRefIdQuery(
			"[AssociatedEntity!]",
			read,
			"The published plans, addons and drafts that use it. Throws CustomCurrencyNotFound.",
			(work, refId) => listAssociatedEntities(work, refId, holds.usersOf).map(viewAssociatedEntity),
		),
	},
	mutations: {
		createCustomCurrency: write.create("CreateCustomCurrencyInput", CurrencyCreate, createCurrency),
		updateCustomCurrency: write.change("UpdateCustomCurrencyInput", CurrencyUpdate, updateCurrency),
		archiveCustomCurrency: write.act((work, id) => archiveCurrency(work, id, holds)),
		unarchiveCustomCurrency: write.act(unarchiveCurrency),
	},
	lists: [list],
});
