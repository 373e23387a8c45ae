import { toIso } from "../../kernel/clock";
import { productStatus } from "./rules";
import type { Product } from "./schema";
import type { ProductRow } from "./table";

export const viewProduct = (row: ProductRow): Product => ({
	id: row.refId,
	displayName: row.displayName,
	description: row.description,
	status: productStatus(row),
	metadata: row.metadata,
	multipleSubscriptions: row.multipleSubscriptions,
	productSettings: row.settings,
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});
