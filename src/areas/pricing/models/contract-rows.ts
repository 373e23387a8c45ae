import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../../kernel/decimal";
import { unreachable } from "../../../kernel/errors";
import { roundToMinor } from "../../../kernel/money";
import { unitPriceOfPart } from "../billed";
import { perBlock } from "./blocks";
import type { RatedCharge } from "./charge";
import { flat } from "./flat";
import { graduated } from "./graduated";
import { stairstep } from "./stairstep";
import { amountOf, type PricedTier, type Tier } from "./tiers";
import { volume } from "./volume";

/** The pricing models of a contract's line item. Source: docs/interface/contracts.md#items. */
export const rowModels = ["flat", "package", "tiered", "volume", "stairstep"] as const;
export type RowModel = (typeof rowModels)[number];

/** One row of a line item. The model decides which keys count; null means "missing". */
export interface ContractRow {
	/** The committed quantity; missing means one. In the tier models every row has the same quantity. */
	readonly quantity: Decimal | null;
	readonly price: Decimal | null;
	readonly from: Decimal | null;
	readonly to: Decimal | null;
	readonly packageSize: Decimal | null;
}

const one = toDecimal(1);

/**
 * Rates the rows of a line item for one cycle, exact, with the figures that a document shows. Flat and package rows each count by
 * themselves. In the tier models a row is a tier, and the committed quantity decides which tiers count. No rows cost nothing.
 */
export function priceRows(model: RowModel, rows: readonly ContractRow[]): RatedCharge {
	const [first, ...others] = rows;
	const single = first && others.length === 0 ? first : undefined;
	switch (model) {
		case "flat":
			return {
				quantity: single ? (single.quantity ?? one) : null,
				unitPrice: single ? (single.price ?? zero) : null,
				tiers: null,
				amount: sum(rows.map(({ price, quantity }) => flat(price ?? zero, quantity ?? one))),
			};
		case "package":
			return {
				quantity: single ? (single.quantity ?? one) : null,
				unitPrice: null,
				tiers: null,
				amount: sum(
					rows.map(({ price, quantity, packageSize }) => perBlock(price ?? zero, quantity ?? one, packageSize ?? one)),
				),
			};
		case "tiered":
			return tiered(graduated, unitTier, rows);
		case "volume":
			return tiered(volume, unitTier, rows);
		case "stairstep":
			return tiered(stairstep, flatTier, rows);
		default:
			return unreachable(model);
	}
}

/** Rates the rows as `priceRows` does, with the usage in place of the committed quantity. */
export const priceUsedRows = (model: RowModel, rows: readonly ContractRow[], quantity: Decimal): RatedCharge =>
	priceRows(
		model,
		rows.map((row) => ({ ...row, quantity })),
	);

/** The usage of a cycle in priced units, and the part that was invoiced before. */
export interface CycleUnits {
	readonly quantity: Decimal;
	readonly billed: Decimal;
}

/**
 * Rates the usage that a cycle adds since earlier invoices. Rounding both totals before the subtraction makes the invoices of a cycle
 * sum to one invoice for all of it. Usage that was removed after billing is not refunded.
 */
export function rateUsedRows(
	model: RowModel,
	rows: readonly ContractRow[],
	{ quantity, billed }: CycleUnits,
	currency: string,
): RatedCharge {
	const now = priceUsedRows(model, rows, usedUnits({ quantity, billed }));
	if (exact(billed).eq(0)) return now;
	const before = priceUsedRows(model, rows, billed);
	const amount = roundToMinor(now.amount, currency).minus(roundToMinor(before.amount, currency));
	const more = exact(usedUnits({ quantity, billed })).minus(exact(billed));
	return {
		quantity: toDecimal(more),
		unitPrice: unitPriceOfPart(now, { quantity: more, amount }, currency),
		tiers: null,
		amount,
	};
}

export const usedUnits = ({ quantity, billed }: CycleUnits): Decimal =>
	exact(billed).gt(exact(quantity)) ? billed : quantity;

function tiered(
	price: (tiers: readonly Tier[], quantity: Decimal) => PricedTier[],
	tierOf: (row: ContractRow) => Tier,
	rows: readonly ContractRow[],
): RatedCharge {
	const quantity = rows.find((row) => row.quantity !== null)?.quantity ?? one;
	const tiers = price(rows.map(tierOf), quantity);
	return { quantity: rows.length === 0 ? null : quantity, unitPrice: null, tiers, amount: amountOf(tiers) };
}

/**
 * Sums the prices of pay-as-you-go rows. Nothing is committed, so each row with a price counts once. Source:
 * docs/interface/contracts.md#items.
 */
export const rateUsageRows = (rows: readonly ContractRow[]): Big => sum(rows.map(({ price }) => exact(price ?? zero)));

const bounds = ({ from, to }: ContractRow): Pick<Tier, "from" | "to"> => ({ from: from ?? zero, to });
const unitTier = (row: ContractRow): Tier => ({ ...bounds(row), unitPrice: row.price, flatPrice: null });
const flatTier = (row: ContractRow): Tier => ({ ...bounds(row), unitPrice: null, flatPrice: row.price });
