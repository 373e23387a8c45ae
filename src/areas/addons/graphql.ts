import type { GraphqlArea } from "../../graphql/area";
import { byRefId, operation } from "../../graphql/input/operation";
import { createAddon, updateAddon } from "./operations";
import { AddonCreate, AddonUpdate } from "./schema";

const typeDefs = `
	input CreateAddonInput {
		refId: String!
		displayName: String!
		"The caller's id of the product."
		productId: String!
		billingId: String
		description: String
		maxQuantity: Int
		additionalMetaData: JSON
		pricingType: PricingType
		"DRAFT, or left out."
		status: PackageStatus
	}
	"Changes the draft. What is left out stays, null clears."
	input UpdateAddonInput {
		refId: String!
		billingId: String
		charges: PackagePricingInput
		"The caller's ids of the addons that must be there too."
		dependencies: [String!]
		description: String
		displayName: String
		maxQuantity: Int
		additionalMetaData: JSON
		status: PackageStatus
	}
	extend type Mutation {
		createOneAddon(input: CreateAddonInput!): Addon
		updateOneAddon(input: UpdateAddonInput!): Addon
		setAddonPricing(input: SetPackagePricingInput!): Addon
	}
`;

const scope = "CATALOG:WRITE";

/** The types and the reads are in packages: plans and addons share them. */
export const addonsGraphql: GraphqlArea = {
	typeDefs,
	mutations: {
		createOneAddon: operation({ scope, body: AddonCreate, run: createAddon }),
		updateOneAddon: operation({
			scope,
			path: byRefId,
			body: AddonUpdate,
			run: (work, body, { id }) => updateAddon(work, id, body),
		}),
		setAddonPricing: operation({
			scope,
			path: byRefId,
			body: AddonUpdate,
			under: "charges",
			run: (work, body, { id }) => updateAddon(work, id, body),
		}),
	},
};
