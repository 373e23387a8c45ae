import { type Big, type Decimal, exact, sum, toDecimal, zero } from "../../kernel/decimal";
import { unreachable } from "../../kernel/errors";
import { perBlock } from "./blocks";
import { flat } from "./flat";
import { graduated } from "./graduated";
import { stairstep } from "./stairstep";
import { amountOf, type Tier } from "./tiers";
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
 * What a line item's rows cost in one cycle, exact. Flat and package rows each stand for themselves; in the tier models a
 * row is a tier, and the committed quantity decides which of them count. No rows cost nothing.
 */
export function rateRows(model: RowModel, rows: readonly ContractRow[]): Big {
	const committed = rows.find(({ quantity }) => quantity !== null)?.quantity ?? one;
	switch (model) {
		case "flat":
			return sum(rows.map(({ price, quantity }) => flat(price ?? zero, quantity ?? one)));
		case "package":
			return sum(
				rows.map(({ price, quantity, packageSize }) => perBlock(price ?? zero, quantity ?? one, packageSize ?? one)),
			);
		case "tiered":
			return amountOf(graduated(rows.map(unitTier), committed));
		case "volume":
			return amountOf(volume(rows.map(unitTier), committed));
		case "stairstep":
			return amountOf(stairstep(rows.map(flatTier), committed));
		default:
			return unreachable(model);
	}
}

/**
 * Pay as you go: nothing is committed, so each row that has a price counts with that price, once. Source:
 * docs/interface/contracts.md, such an item "contributes only its priced rows" to the totals before publishing.
 */
export const rateUsageRows = (rows: readonly ContractRow[]): Big => sum(rows.map(({ price }) => exact(price ?? zero)));

const bounds = ({ from, to }: ContractRow): Pick<Tier, "from" | "to"> => ({ from: from ?? zero, to });
const unitTier = (row: ContractRow): Tier => ({ ...bounds(row), unitPrice: row.price, flatPrice: null });
const flatTier = (row: ContractRow): Tier => ({ ...bounds(row), unitPrice: null, flatPrice: row.price });
