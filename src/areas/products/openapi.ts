import { operation } from "../../openapi/operation";

const path = { id: ["The product's id", "product-atlas"] } as const;
const unused = { id: ["The product's id", "product-labs"] } as const;
const archived = { id: ["The product's id", "product-retired"] } as const;

export const productOperations = {
	list: operation({
		operationId: "products.listProducts",
		summary: "List products",
		query: { id: "Only the product with this id", status: "Only products in these states" },
	}),
	create: operation({
		operationId: "products.createProduct",
		summary: "Create a product",
		description: "A product groups plans and addons, and says how a customer's journey begins and ends.",
		example: { id: "product-beacon", displayName: "Beacon", description: "Positions of moving things." },
		refusals: ["DuplicatedEntityNotAllowed"],
	}),
	update: operation({
		operationId: "products.updateProduct",
		summary: "Change a product",
		description:
			"What is left out stays. `productSettings` come whole: what starts for a new customer, what follows the end of a subscription, and when a cancellation takes effect.",
		path,
		example: { description: "Maps, routes and places." },
		refusals: ["ProductNotFoundError", "PlanNotFound"],
	}),
	archive: operation({
		operationId: "products.archiveProduct",
		summary: "Archive a product",
		description: "With all its plans and addons: they are sold no more. Subscriptions that run go on.",
		path: unused,
		refusals: ["ProductNotFoundError", "CannotArchiveProductError"],
	}),
	unarchive: operation({
		operationId: "products.unarchiveProduct",
		summary: "Take a product out of the archive",
		path: archived,
		refusals: ["ProductNotFoundError", "CannotUnarchiveProductError"],
	}),
	duplicate: operation({
		operationId: "products.duplicateProduct",
		summary: "Copy a product with all its plans and addons",
		path,
		example: { targetId: "product-atlas-copy", displayName: "Atlas (copy)" },
		refusals: ["ProductNotFoundError", "DuplicateProductValidationError", "DuplicatedEntityNotAllowed"],
	}),
};
