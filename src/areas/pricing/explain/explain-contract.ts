import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import type { ContractItemBasis, LineBasis } from "../basis";
import type { RatedCharge } from "../models/charge";
import { type ContractRow, priceRows, priceUsedRows, usedUnits } from "../models/contract-rows";
import { convertUnits } from "../unit-conversion";
import { costOfTiers, proratedStep, type Step, signed, windowStep } from "./steps";

/** Returns the steps of a contract's line: the rows for a whole cycle and its share, or the usage of the cycle. */
export function contractSteps(basis: LineBasis, item: ContractItemBasis, currency: string): Step[] {
	const { model, rows } = item;
	if (item.isPayAsYouGo) return usedSteps(basis, item, currency);
	const rated = priceRows(model, rows);
	const cost: Step = {
		of: "cost",
		text: basis.share ? "The rows of the item for a whole cycle." : "The rows of the item.",
		arithmetic: costOfRows(item, rows, rated),
		value: toDecimal(rated.amount),
	};
	return [cost, proratedStep(basis, rated.amount, currency)];
}

function usedSteps(
	{ quantity: reported, billed = zero, unitTransformation = null }: LineBasis,
	item: ContractItemBasis,
	currency: string,
): Step[] {
	const counted = unitTransformation
		? `${unitTransformation.round === "UP" ? "ceil" : "floor"}(${signed(reported)} / ${unitTransformation.divide})`
		: signed(reported);
	const units = usedUnits({ quantity: convertUnits(reported, unitTransformation), billed });
	const now = priceUsedRows(item.model, item.rows, units);
	const used: Step[] = [
		{
			of: "units",
			text: `What the cycle has used in all${unitTransformation ? ", in the units that are priced" : ""}.`,
			arithmetic: `max(${counted}, ${signed(billed)})`,
			value: units,
		},
		costStep("cost", item, units, now),
	];
	if (exact(billed).eq(0)) return [...used, windowStep(now, undefined, currency)];
	const before = priceUsedRows(item.model, item.rows, billed);
	return [
		...used,
		{
			of: "unitsBilledBefore",
			text: "The part that earlier invoices billed.",
			arithmetic: signed(billed),
			value: billed,
		},
		costStep("costBilledBefore", item, billed, before),
		windowStep(now, before, currency),
	];
}

const costStep = (of: Step["of"], item: ContractItemBasis, units: Decimal, rated: RatedCharge): Step => ({
	of,
	text: "Its price.",
	arithmetic: costOfRows(
		item,
		item.rows.map((row) => ({ ...row, quantity: units })),
		rated,
	),
	value: toDecimal(rated.amount),
});

/**
 * Returns the arithmetic of the rows. Flat and package rows each count by themselves; in the other models, the tiers that the quantity
 * reaches count.
 */
function costOfRows({ model }: ContractItemBasis, rows: readonly ContractRow[], rated: RatedCharge): string {
	if (model !== "flat" && model !== "package") return costOfTiers(rated);
	const parts = rows.map(({ price, quantity, packageSize }) => {
		const count = signed(quantity ?? toDecimal(1));
		const units = model === "flat" ? count : `ceil(${count} / ${packageSize ?? 1})`;
		return `${signed(price ?? zero)} * ${units}`;
	});
	return parts.join(" + ") || "0";
}
