import { toDecimal, zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import { type ContractRow, type RowModel, rowModels } from "../pricing/models/contract-rows";

/** The keys of a row. Source: docs/interface/contracts.md; another key is refused. */
export const rowKeys = ["quantity", "price", "from", "to", "packageSize"] as const;
export type RowKey = (typeof rowKeys)[number];

export type PricingModelId = RowModel | `usage-${RowModel}`;

/**
 * How a line item is priced. Names repeat across categories; only `isPayAsYouGo` tells them apart
 * (docs/interface/contracts.md).
 */
export interface PricingModel {
	readonly id: PricingModelId;
	readonly name: string;
	readonly categoryName: "fixed" | "usage";
	readonly isPayAsYouGo: boolean;
	readonly rowModel: RowModel;
	/** The row keys that the model reads; others are ignored. */
	readonly editableInputs: readonly RowKey[];
	/** What an item has when no rows are sent. */
	readonly template: readonly ContractRow[];
}

const names: Record<RowModel, string> = {
	flat: "Flat rate",
	package: "Package",
	tiered: "Tiered",
	volume: "Volume",
	stairstep: "Stairstep",
};

const priceInputs: Record<RowModel, readonly RowKey[]> = {
	flat: ["price"],
	package: ["price", "packageSize"],
	tiered: ["price", "from", "to"],
	volume: ["price", "from", "to"],
	stairstep: ["price", "from", "to"],
};

/** A row that costs nothing yet: one unit, one package, or a single open tier. */
const blank = (inputs: readonly RowKey[]): ContractRow => ({
	quantity: inputs.includes("quantity") ? toDecimal(1) : null,
	price: zero,
	from: inputs.includes("from") ? zero : null,
	to: null,
	packageSize: inputs.includes("packageSize") ? toDecimal(1) : null,
});

const model = (rowModel: RowModel, isPayAsYouGo: boolean): PricingModel => {
	// What is used is not known beforehand: a pay-as-you-go row has no quantity.
	const editableInputs: readonly RowKey[] = isPayAsYouGo
		? priceInputs[rowModel]
		: ["quantity", ...priceInputs[rowModel]];
	return {
		id: isPayAsYouGo ? `usage-${rowModel}` : rowModel,
		name: names[rowModel],
		categoryName: isPayAsYouGo ? "usage" : "fixed",
		isPayAsYouGo,
		rowModel,
		editableInputs,
		template: [blank(editableInputs)],
	};
};

/** The built-in models with their stable ids. Source: docs/interface/contracts.md. */
export const pricingModels: readonly PricingModel[] = [
	...rowModels.map((rowModel) => model(rowModel, false)),
	...rowModels.map((rowModel) => model(rowModel, true)),
];

export const pricingModelIds = pricingModels.map(({ id }) => id);

/** Source: docs/interface/contracts.md. */
export const defaultPricingModelId: PricingModelId = "flat";

export function pricingModel(id: PricingModelId): PricingModel {
	const found = pricingModels.find((candidate) => candidate.id === id);
	assert(found, `the pricing model '${id}' is built in`);
	return found;
}

/** Tier models read one committed quantity for all rows; in the others each row stands for itself. */
export const isTierModel = ({ rowModel }: Pick<PricingModel, "rowModel">): boolean =>
	rowModel === "tiered" || rowModel === "volume" || rowModel === "stairstep";
