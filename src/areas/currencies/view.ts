import { toIso, toIsoOrNull } from "../../kernel/clock";
import type { CustomCurrency } from "./schema";
import type { CurrencyRow } from "./table";

export const viewCurrency = (row: CurrencyRow): CustomCurrency => ({
	id: row.refId,
	displayName: row.displayName,
	description: row.description,
	symbol: row.symbol,
	units:
		row.unitSingular === null && row.unitPlural === null
			? null
			: { singular: row.unitSingular, plural: row.unitPlural },
	metadata: row.metadata,
	archivedAt: toIsoOrNull(row.archivedAt),
	createdAt: toIso(row.createdAt),
	updatedAt: toIso(row.updatedAt),
});

export const viewAssociatedEntity = ({
	kind,
	refId,
	displayName,
}: {
	readonly kind: "PLAN" | "ADDON";
	readonly refId: string;
	readonly displayName: string;
}) => ({ id: refId, displayName, type: kind === "PLAN" ? "Plan" : "Addon" });
