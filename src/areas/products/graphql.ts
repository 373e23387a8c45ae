import { eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../graphql/area";
import { byRefId, NoBody, operation } from "../../graphql/input/operation";
import { choice, date, flag, type List, reckoned, text } from "../../graphql/lists/list";
import { createProduct, getProduct, type ProductsInUse, productsByIds, unarchiveProduct } from "./operations";
import { productStatus } from "./rules";
import { ProductCreate, ProductDuplicate, ProductUpdate } from "./schema";
import { type ProductRow, products } from "./table";

const typeDefs = `
	enum ProductStatus { PUBLISHED ARCHIVED }
	enum UsageResetBehavior { NEVER_RESET ALWAYS_RESET BILLING_PERIOD_CHANGE }
	enum SubscriptionStartSetup { PLAN_SELECTION TRIAL_PERIOD FREE_PLAN }
	enum SubscriptionEndSetup { DOWNGRADE_TO_FREE CANCEL_SUBSCRIPTION }
	enum SubscriptionCancellationTime { END_OF_BILLING_PERIOD IMMEDIATE SPECIFIC_DATE }
	type ProductSettings {
		subscriptionStartSetup: SubscriptionStartSetup!
		subscriptionEndSetup: SubscriptionEndSetup!
		subscriptionCancellationTime: SubscriptionCancellationTime!
		prorateAtEndOfBillingPeriod: Boolean
	}
	type Product {
		id: ID!
		"The caller's id."
		refId: String!
		displayName: String!
		description: String
		additionalMetaData: JSON
		status: ProductStatus!
		multipleSubscriptions: Boolean!
		productSettings: ProductSettings!
		usageReset: UsageResetBehavior!
		environmentId: String!
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	input CreateProductInput {
		refId: String!
		displayName: String!
		description: String
		additionalMetaData: JSON
		multipleSubscriptions: Boolean
	}
	"Replaced as a whole. Plans are named by the caller's ids."
	input ProductSettingsInput {
		subscriptionStartSetup: SubscriptionStartSetup!
		subscriptionStartPlanId: String
		subscriptionEndSetup: SubscriptionEndSetup!
		downgradePlanId: String
		subscriptionCancellationTime: SubscriptionCancellationTime!
		prorateAtEndOfBillingPeriod: Boolean
	}
	input UsageResetCutoffRuleInput { behavior: UsageResetBehavior! }
	"What is left out stays, null clears."
	input UpdateProductInput {
		refId: String!
		displayName: String
		description: String
		additionalMetaData: JSON
		multipleSubscriptions: Boolean
		productSettings: ProductSettingsInput
		usageResetCutoffRule: UsageResetCutoffRuleInput
	}
	"A copy with its plans and addons; targetId is the id of the copy."
	input DuplicateProductInput { refId: String! targetId: String! displayName: String description: String }
	extend type Query {
		"Throws ProductNotFoundError."
		product(refId: String!): Product
	}
	extend type Mutation {
		createOneProduct(input: CreateProductInput!): Product
		updateOneProduct(input: UpdateProductInput!): Product
		archiveProduct(input: ByRefIdInput!): Product
		unarchiveProduct(input: ByRefIdInput!): Product
		duplicateProduct(input: DuplicateProductInput!): Product
	}
`;

const product = fieldsOf<ProductRow>({
	scope: "CATALOG:READ",
	open: ["id", "refId"],
	fields: {
		additionalMetaData: ({ metadata }) => metadata,
		status: productStatus,
		productSettings: (row) => row,
	},
});

/** Its source is the product: so the plans that a page of products names are read together. */
const settings = fieldsOf<ProductRow>({
	fields: {
		subscriptionStartSetup: ({ settings }) => settings.subscriptionStartSetup,
		subscriptionEndSetup: ({ settings }) => settings.subscriptionEndSetup,
		subscriptionCancellationTime: ({ settings }) => settings.subscriptionCancellationTime,
		prorateAtEndOfBillingPeriod: ({ settings }) => settings.prorateAtEndOfBillingPeriod,
	},
});

const list: List = {
	field: "products",
	type: "Product",
	scope: "CATALOG:READ",
	source: sql`${products}`,
	id: products.id,
	within: ({ actor }) => eq(products.environmentId, actor.environmentId),
	fields: {
		id: text(products.id),
		refId: text(products.refId),
		displayName: text(products.displayName),
		description: text(products.description),
		status: reckoned(
			{ enum: "ProductStatus" },
			sql`case when ${products.archivedAt} is null then 'PUBLISHED' else 'ARCHIVED' end`,
		),
		multipleSubscriptions: flag(products.multipleSubscriptions),
		usageReset: choice("UsageResetBehavior", products.usageReset),
		createdAt: date(products.createdAt),
		updatedAt: date(products.updatedAt),
		environmentId: text(products.environmentId),
	},
	rows: productsByIds,
};

const scope = "CATALOG:WRITE";

export const productsGraphql = (inUse: ProductsInUse): GraphqlArea => ({
	typeDefs,
	types: { Product: product, ProductSettings: settings },
	queries: {
		product: { scope: "CATALOG:READ", resolve: (args, { work }) => getProduct(work, textOf(args, "refId") ?? "") },
	},
	mutations: {
		createOneProduct: operation({ scope, body: ProductCreate, run: createProduct }),
		updateOneProduct: operation({
			scope,
			path: byRefId,
			body: ProductUpdate,
			run: (work, body, { id }) => inUse.change(work, id, body),
		}),
		archiveProduct: operation({
			scope,
			path: byRefId,
			body: NoBody,
			run: (work, _, { id }) => inUse.archive(work, id),
		}),
		unarchiveProduct: operation({
			scope,
			path: byRefId,
			body: NoBody,
			run: (work, _, { id }) => unarchiveProduct(work, id),
		}),
		duplicateProduct: operation({
			scope,
			path: byRefId,
			body: ProductDuplicate,
			run: (work, body, { id }) => inUse.duplicate(work, id, body),
		}),
	},
	lists: [list],
});
