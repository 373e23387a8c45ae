import { toIso } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import { taxStatus } from "./rules";
import type { Tax } from "./schema";
import type { TaxRow } from "./table";

export const viewTax = (row: TaxRow): Tax => ({
	id: row.refId,
	displayName: row.displayName,
	percentage: toWire(row.percentage),
	isInclusive: row.isInclusive,
	country: row.country,
	code: row.code,
	status: taxStatus(row),
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});
