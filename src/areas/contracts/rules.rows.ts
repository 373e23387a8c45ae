import { type Decimal, exact, toDecimal, zero } from "../../kernel/decimal";
import { fail, rejectBilling } from "../../kernel/errors";
import type { ContractRow } from "../pricing/models/contract-rows";
import { isTierModel, type PricingModel, type RowKey, rowKeys } from "./rules.models";
import type { ItemRow } from "./schema";

/**
 * Completes a line item's rows for storage. Keys that the model does not use are dropped. Values that depend on
 * neighboring rows (committed quantity, lower bound) are written out, so that a row keeps its meaning if others are
 * deleted. Without rows the item gets the model's template; an empty list has no rows (docs/interface/contracts.md).
 */
export function readRows(model: PricingModel, sent: readonly ItemRow[] | undefined): ContractRow[] {
	if (!sent) return [...model.template];
	assertNoQuantity(model, sent);
	const rows = sent.map((row) => exposed(model, row));
	return isTierModel(model) ? tierRows(model, rows) : rows.map((row) => withQuantity(model, row, one));
}

/** Removes a row; later rows move up. */
export const withoutRow = (rows: readonly ContractRow[], rowIndex: number): ContractRow[] =>
	rows.filter((_, at) => at !== rowIndex);

const one = toDecimal(1);

/** Usage is unknown in advance (docs/interface/contracts.md). */
function assertNoQuantity({ id, isPayAsYouGo }: PricingModel, rows: readonly ItemRow[]): void {
	const at = isPayAsYouGo ? rows.findIndex(({ quantity }) => quantity !== undefined && quantity !== null) : -1;
	if (at >= 0)
		throw rejectBilling(
			"QUANTITY_NOT_ALLOWED",
			`Row ${at}: the pay-as-you-go model '${id}' takes no 'quantity'; leave it out, or choose a fixed model.`,
		);
}

function exposed({ editableInputs }: PricingModel, row: ItemRow): ContractRow {
	const value = (key: RowKey): Decimal | null => {
		const given = editableInputs.includes(key) ? row[key] : null;
		return given === undefined || given === null ? null : toDecimal(given);
	};
	const [quantity, price, from, to, packageSize] = rowKeys.map(value);
	return {
		quantity: quantity ?? null,
		price: price ?? null,
		from: from ?? null,
		to: to ?? null,
		packageSize: packageSize ?? (editableInputs.includes("packageSize") ? one : null),
	};
}

const withQuantity = ({ isPayAsYouGo }: PricingModel, row: ContractRow, committed: Decimal): ContractRow =>
	isPayAsYouGo ? row : { ...row, quantity: row.quantity ?? committed };

function tierRows(model: PricingModel, rows: readonly ContractRow[]): ContractRow[] {
	const given = rows.flatMap(({ quantity }) => (quantity === null ? [] : [quantity]));
	const committed = given[0] ?? one;
	if (given.some((quantity) => quantity !== committed))
		throw fail("BadUserInput", `The rows of the model '${model.id}' take one committed 'quantity'; give all the same.`);
	const tiers = rows.map((row, at) =>
		withQuantity(model, { ...row, from: row.from ?? rows[at - 1]?.to ?? zero }, committed),
	);
	for (const [at, tier] of tiers.entries()) assertTier(at, tier, tiers[at - 1]);
	return tiers;
}

/** Tiers ascend without overlap; a gap has no price. Only the last tier may be open. */
function assertTier(at: number, { from, to }: ContractRow, previous: ContractRow | undefined): void {
	const lower = exact(from ?? zero);
	if (to !== null && lower.gte(exact(to))) throw fail("BadUserInput", `Row ${at}: 'to' must be above 'from'.`);
	if (!previous) return;
	if (previous.to === null)
		throw fail("BadUserInput", `Row ${at - 1}: only the last tier may be open; give it a 'to'.`);
	if (lower.lt(exact(previous.to)))
		throw fail("BadUserInput", `Row ${at}: 'from' lies below the end of the tier before it; tiers may not overlap.`);
}
