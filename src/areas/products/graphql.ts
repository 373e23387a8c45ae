import { byRefIdQuery, fieldsOf, type GraphqlArea } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import { columns, statusUntilArchived, tableList } from "../../graphql/lists/list";
import { createProduct, getProduct, type ProductsInUse, productsByIds, unarchiveProduct } from "./operations";
import { productStatus } from "./rules";
import {
	CancellationTime,
	ProductCreate,
	ProductDuplicate,
	ProductStatus,
	ProductUpdate,
	UsageResetBehavior,
} from "./schema";
import { type ProductRow, products } from "./table";

const schemas = { ProductStatus, UsageResetBehavior, CancellationTime, ProductCreate, ProductUpdate, ProductDuplicate };

const typeDefs = `
	enum ProductStatus from ProductStatus
	enum UsageResetBehavior from UsageResetBehavior
	enum SubscriptionStartSetup from ProductUpdate.productSettings.subscriptionStartSetup
	enum SubscriptionEndSetup from ProductUpdate.productSettings.subscriptionEndSetup
	enum SubscriptionCancellationTime from CancellationTime
	type ProductSettings from ProductUpdate.productSettings {
		subscriptionStartSetup subscriptionEndSetup
		subscriptionCancellationTime prorateAtEndOfBillingPeriod
	}
	type Product from ProductCreate {
		id
		"The caller's id."
		refId
		* status: ProductStatus! multipleSubscriptions! productSettings: ProductSettings!
		usageReset: UsageResetBehavior! environmentId createdAt updatedAt
	}
	input CreateProductInput from ProductCreate
	"Omitted members stay. Null clears."
	input UpdateProductInput from ProductUpdate {
		refId *
		productSettings as ProductSettingsInput "Replaces all settings. Plans are named by the caller's ids." { * }
		usageResetCutoffRule as UsageResetCutoffRuleInput { * }
	}
	"Copies the product with its plans and addons. targetId is the id of the copy."
	input DuplicateProductInput from ProductDuplicate { refId * }
`;

const product = fieldsOf<ProductRow>({
	scope: "CATALOG:READ",
	open: ["id", "refId"],
	fields: { status: productStatus, productSettings: (row) => row },
});

/** Its source is the product, so one query reads the plans of a whole page of products. */
const settings = fieldsOf<ProductRow>({
	fields: {
		subscriptionStartSetup: ({ settings }) => settings.subscriptionStartSetup,
		subscriptionEndSetup: ({ settings }) => settings.subscriptionEndSetup,
		subscriptionCancellationTime: ({ settings }) => settings.subscriptionCancellationTime,
		prorateAtEndOfBillingPeriod: ({ settings }) => settings.prorateAtEndOfBillingPeriod,
	},
});

const list = tableList(products, {
	...{ field: "products", type: "Product", scope: "CATALOG:READ", rows: productsByIds },
	fields: {
		...columns(products, "id refId displayName description"),
		status: statusUntilArchived("ProductStatus", "PUBLISHED", products.archivedAt),
		...columns(products, "multipleSubscriptions usageReset:UsageResetBehavior createdAt updatedAt environmentId"),
	},
});

const write = mutationsOf({ returns: "Product", scope: "CATALOG:WRITE" });

export const productsGraphql = (inUse: ProductsInUse): GraphqlArea => ({
	schemas,
	typeDefs,
	types: { Product: product, ProductSettings: settings },
	queries: { product: byRefIdQuery("Product", "CATALOG:READ", "Throws ProductNotFoundError.", getProduct) },
	mutations: {
		createOneProduct: write.create("CreateProductInput", ProductCreate, createProduct),
		updateOneProduct: write.change("UpdateProductInput", ProductUpdate, inUse.change),
		archiveProduct: write.act(inUse.archive),
		unarchiveProduct: write.act(unarchiveProduct),
		duplicateProduct: write.change("DuplicateProductInput", ProductDuplicate, inUse.duplicate),
	},
	lists: [list],
});
