import type { Work } from "../../kernel/work";
import { writeEvent } from "../outbox/operations";
import { productStatus } from "./rules";
import type { ProductRow } from "./table";

export const emitProductEvent = (work: Work, type: "product.created" | "product.updated", row: ProductRow): void =>
	writeEvent(work, type, row.id, {
		id: row.refId,
		entityId: row.id,
		name: row.displayName,
		description: row.description,
		status: productStatus(row),
		multipleSubscriptions: row.multipleSubscriptions,
		metadata: row.metadata,
	});
