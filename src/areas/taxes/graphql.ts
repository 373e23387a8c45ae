import { byRefIdQuery, fieldsOf, type GraphqlArea } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import { columns, statusUntilArchived, tableList } from "../../graphql/lists/list";
import { archiveTax, createTax, getTax, taxesByIds, updateTax } from "./operations";
import { taxStatus } from "./rules";
import { Tax, TaxCreate, TaxUpdate } from "./schema";
import { type TaxRow, taxes } from "./table";

const schemas = { Tax, TaxCreate, TaxUpdate };

const typeDefs = `
	enum TaxStatus from Tax.status
	type Tax from Tax {
		id
		"The caller's id."
		refId
		displayName percentage
		"Prices include the tax."
		isInclusive
		country code status environmentId createdAt updatedAt
	}
	input CreateTaxInput from TaxCreate { * }
	"Only the name can change. The other members may repeat their values."
	input UpdateTaxInput from TaxUpdate { refId * }
`;

const list = tableList(taxes, {
	...{ field: "taxes", type: "Tax", scope: "CATALOG:READ", rows: taxesByIds },
	fields: {
		...columns(taxes, "id refId displayName country code"),
		status: statusUntilArchived("TaxStatus", "ACTIVE", taxes.archivedAt),
		...columns(taxes, "createdAt updatedAt environmentId"),
	},
});

const write = mutationsOf({ returns: "Tax", scope: "CATALOG:WRITE" });

export const taxesGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: {
		Tax: fieldsOf<TaxRow>({ scope: "CATALOG:READ", open: ["id", "refId"], fields: { status: taxStatus } }),
	},
	queries: { tax: byRefIdQuery("Tax", "CATALOG:READ", "Throws an error without a code if there is none.", getTax) },
	mutations: {
		createOneTax: write.create("CreateTaxInput", TaxCreate, createTax),
		updateOneTax: write.change("UpdateTaxInput", TaxUpdate, updateTax),
		archiveTax: write.act(archiveTax),
	},
	lists: [list],
};
