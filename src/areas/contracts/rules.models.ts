import { toDecimal, zero } from "../../kernel/decimal";
import { assert } from "../../kernel/errors";
import { type ContractRow, type RowModel, rowModels } from "../pricing/models/contract-rows";

/** The keys of a row (docs/interface/contracts.md). Other keys are rejected. */
export const rowKeys = ["quantity", "price", "from", "to", "packageSize"] as const;
export type RowKey = (typeof rowKeys)[number];

export type PricingModelId = RowModel | `usage-${RowModel}`;

/**
 * The pricing of a line item. Names repeat across categories; only `isPayAsYouGo` distinguishes them
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
	/** The rows of an item without rows. */
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

/** A row without a price: one unit, one package, or a single open tier. */
const blank = (inputs: readonly RowKey[]): ContractRow => ({
	quantity: inputs.includes("quantity") ? toDecimal(1) : null,
	price: zero,
	from: inputs.includes("from") ? zero : null,
	to: null,
	packageSize: inputs.includes("packageSize") ? toDecimal(1) : null,
});

const model = (rowModel: RowModel, isPayAsYouGo: boolean): PricingModel => {
	// Usage is unknown in advance, so a pay-as-you-go row has no quantity.
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

/** The built-in models with their stable ids (docs/interface/contracts.md). */
export const pricingModels: readonly PricingModel[] = [
	...rowModels.map((rowModel) => model(rowModel, false)),
	...rowModels.map((rowModel) => model(rowModel, true)),
];

export const pricingModelIds = pricingModels.map(({ id }) => id);

/** The default of the interface (docs/interface/contracts.md). */
export const defaultPricingModelId: PricingModelId = "flat";

export function pricingModel(id: PricingModelId): PricingModel {
	const found = pricingModels.find((candidate) => candidate.id === id);
	assert(found, `the pricing model '${id}' is built in`);
	return found;
}

/** Tier models have one committed quantity for all rows; in other models each row stands alone. */
export const isTierModel = ({ rowModel }: Pick<PricingModel, "rowModel">): boolean =>
	rowModel === "tiered" || rowModel === "volume" || rowModel === "stairstep";
