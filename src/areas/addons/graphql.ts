import type { GraphqlArea } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import { createAddon, updateAddon } from "./operations";
import { AddonCreate, AddonUpdate } from "./schema";

const schemas = { AddonCreate, AddonUpdate };

const typeDefs = `
	input CreateAddonInput from AddonCreate {
		refId displayName
		"The caller's id of the product."
		productId
		*
		"DRAFT, or omitted."
		status
	}
	"Changes the draft. Omitted members stay. Null clears."
	input UpdateAddonInput from AddonUpdate {
		refId billingId charges as PackagePricingInput
		"The caller's ids of the addons that a subscription must have as well."
		dependencies
		* status as PackageStatus
	}
`;

const write = mutationsOf({ returns: "Addon", scope: "CATALOG:WRITE" });

/** `packages` has the types and the queries: plans and addons share them. */
export const addonsGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	mutations: {
		createOneAddon: write.create("CreateAddonInput", AddonCreate, createAddon),
		updateOneAddon: write.change("UpdateAddonInput", AddonUpdate, updateAddon),
		setAddonPricing: write.change("SetPackagePricingInput", AddonUpdate, updateAddon, { under: "charges" }),
	},
};
