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

/** How a contract's line item prices its rows. Source: docs/interface/contracts.md. */
export const rowModels = ["flat", "package", "tiered", "volume", "stairstep"] as const;
export type RowModel = (typeof rowModels)[number];

/** One row of a line item. Which keys play a part depends on the model; null is "not given". */
export interface ContractRow {
	/** The committed quantity; not given is one. The tier models take the same on every row. */
	readonly quantity: Decimal | null;
	readonly price: Decimal | null;
	readonly from: Decimal | null;
	readonly to: Decimal | null;
	readonly packageSize: Decimal | null;
}

const one = toDecimal(1);

/**
 * What a line item's rows cost in one cycle, exact, with what a document shows of it. Flat and package rows each stand for
 * themselves; in the tier models a row is a tier, and the committed quantity decides which of them count. No rows cost
 * nothing.
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

/** The same for so much usage: what was used stands in the place of what is committed. */
export const priceUsedRows = (model: RowModel, rows: readonly ContractRow[], quantity: Decimal): RatedCharge =>
	priceRows(
		model,
		rows.map((row) => ({ ...row, quantity })),
	);

/** What a cycle used, in the units that are priced, and how much of that was invoiced before. */
export interface CycleUnits {
	readonly quantity: Decimal;
	readonly billed: Decimal;
}

/**
 * What so much usage adds since earlier invoices of its cycle. Both are rounded before the difference is taken, so that the
 * invoices of a cycle sum to what one would have charged. What was taken back since is not refunded.
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
 * Pay as you go: nothing is committed, so each row that has a price counts with that price, once. Source:
 * docs/interface/contracts.md, such an item "contributes only its priced rows" to the totals before publishing.
 */
export const rateUsageRows = (rows: readonly ContractRow[]): Big => sum(rows.map(({ price }) => exact(price ?? zero)));

const bounds = ({ from, to }: ContractRow): Pick<Tier, "from" | "to"> => ({ from: from ?? zero, to });
const unitTier = (row: ContractRow): Tier => ({ ...bounds(row), unitPrice: row.price, flatPrice: null });
const flatTier = (row: ContractRow): Tier => ({ ...bounds(row), unitPrice: null, flatPrice: row.price });
