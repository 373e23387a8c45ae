import { eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea } from "../../graphql/area";
import { choice, date, flag, type List, reckoned, text } from "../../graphql/list";
import type { Work } from "../../kernel/work";
import { latestVersionsOf, packagesByRefs } from "../packages/operations";
import type { VersionRow } from "../packages/table";
import { productsByIds } from "./operations";
import { productStatus } from "./rules";
import { type ProductRow, products } from "./table";

const typeDefs = `
	enum ProductStatus { PUBLISHED ARCHIVED }
	enum UsageResetBehavior { NEVER_RESET ALWAYS_RESET BILLING_PERIOD_CHANGE }
	enum SubscriptionStartSetup { PLAN_SELECTION TRIAL_PERIOD FREE_PLAN }
	enum SubscriptionEndSetup { DOWNGRADE_TO_FREE CANCEL_SUBSCRIPTION }
	enum SubscriptionCancellationTime { END_OF_BILLING_PERIOD IMMEDIATE SPECIFIC_DATE }
	type ProductSettings {
		subscriptionStartSetup: SubscriptionStartSetup!
		subscriptionStartPlan: Plan
		subscriptionEndSetup: SubscriptionEndSetup!
		downgradePlan: Plan
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
`;

/** A draft that the settings name shows once it is published. */
function plansByRefs(work: Work, refIds: readonly string[]): Map<string, VersionRow> {
	const packages = packagesByRefs(work, "PLAN", refIds);
	const latest = latestVersionsOf(
		work,
		[...packages.values()].map(({ id }) => id),
	);
	return new Map([...latest.values()].map((version) => [version.refId, version]));
}

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
		subscriptionStartPlan: (row, _, asking) =>
			asking.related(row, ({ settings }) => settings.subscriptionStartPlanId ?? null, plansByRefs),
		subscriptionEndSetup: ({ settings }) => settings.subscriptionEndSetup,
		downgradePlan: (row, _, asking) =>
			asking.related(row, ({ settings }) => settings.downgradePlanId ?? null, plansByRefs),
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

export const productsGraphql: GraphqlArea = {
	typeDefs,
	types: { Product: product, ProductSettings: settings },
	lists: [list],
};
