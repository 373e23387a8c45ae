import { type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";
import { roundToMinor } from "../../../kernel/money";
import type { LineBasis } from "../basis";
import { freeUnitsAt } from "../free-units";
import { type RatedCharge, rateCharge, rateUnits } from "../models/charge";
import { convertUnits } from "../unit-conversion";
import { costOfWindow, priceOfUsage } from "../window-cost";
import { adjustmentStep, bounded, boundsText, segmentSteps, transactionSteps, trueUpStep } from "./explain-bounds";
import { commitmentSteps } from "./explain-commitment";
import { contractSteps } from "./explain-contract";
import { discountsStep } from "./explain-discounts";
import { levelSteps } from "./explain-levels";
import { spendSteps } from "./explain-spend";
import { netSteps, taxesStep } from "./explain-taxes";
import { costOfTiers, type ExplainedLine, proratedStep, rounded, type Step, signed, windowStep } from "./steps";

/**
 * Returns the calculation of a line, step by step. Anyone who repeats the arithmetic gets the figures of the line. A line without a
 * basis (issued before Tollgate stored it, or rated elsewhere) is explained by its own fields only.
 */
export const explainLine = (line: ExplainedLine, basis: LineBasis | null, currency: string): Step[] => [
	...(basis ? amountSteps(basis, currency) : [statedAmount(line, currency)]),
	discountStep({ ...line, ...basis?.tax?.gross }, basis, currency),
	...(basis?.tax?.gross ? netSteps(line, basis.tax, currency) : []),
	line.taxes ? taxesStep(line.taxes, line, basis?.tax, currency) : taxStep(line, currency),
	{
		of: "total",
		text: "The amount, less the discount, with tax.",
		arithmetic: `${signed(line.amount)} - ${signed(line.discount)} + ${signed(line.tax)}`,
		value: toDecimal(exact(line.amount).minus(line.discount).plus(line.tax)),
	},
];

function amountSteps(basis: LineBasis, currency: string): Step[] {
	const { charge, contractItem, minimum } = basis;
	if (minimum) return [minimumStep(minimum)];
	if (basis.spendCommitment) return spendSteps(basis.spendCommitment, currency);
	if (contractItem) return contractSteps(basis, contractItem, currency);
	if (!charge) return [];
	if (charge.billingModel === "USAGE_BASED") return windowSteps(basis, charge, currency);
	if (charge.billingModel === "PER_UNIT" && exact(basis.billed ?? zero).gt(0))
		return addedUnitsSteps(basis, charge, currency);
	const rated = rateCharge({ ...charge, minUnitQuantity: null, maxUnitQuantity: null }, basis.quantity);
	const cost: Step = {
		of: "cost",
		text: basis.share ? "The price of the whole period." : "The price.",
		arithmetic: costOf(charge, basis.quantity, rated),
		value: toDecimal(rated.amount),
	};
	return [cost, proratedStep(basis, rated.amount, currency)];
}

/** Returns the steps of units above the highest number that is charged for the period already. */
function addedUnitsSteps(basis: LineBasis, charge: NonNullable<LineBasis["charge"]>, currency: string): Step[] {
	const { quantity, billed = zero } = basis;
	const bounded = { ...charge, minUnitQuantity: null, maxUnitQuantity: null };
	const [now, before] = [rateUnits(bounded, quantity), rateUnits(bounded, billed)];
	const added = now.amount.minus(before.amount);
	const cost = exact(quantity).lte(billed) || added.lt(0) ? exact(0) : added;
	return [
		{
			of: "cost",
			text: "The price of all units for the whole period.",
			arithmetic: costOf(charge, quantity, now),
			value: toDecimal(now.amount),
		},
		{
			of: "costBilledBefore",
			text: "The price of the highest number of units that is charged for the period already.",
			arithmetic: costOf(charge, billed, before),
			value: toDecimal(before.amount),
		},
		proratedStep(basis, cost, currency),
	];
}

/** Returns the steps of usage and overage: the cost of the window so far, minus the cost of the billed part. */
function windowSteps(basis: LineBasis, charge: NonNullable<LineBasis["charge"]>, currency: string): Step[] {
	const { quantity, billed = zero, window, trueUp } = basis;
	if (basis.adjusts) return [adjustmentStep({ ...basis, charge: unbounded(charge) }, currency)];
	const used = exact(billed).gt(exact(quantity)) ? billed : quantity;
	const isEnded = trueUp !== undefined || window?.ended !== undefined;
	const now = windowOf(basis, charge, used, isEnded, ["units", "cost"]);
	if (trueUp) return [...now.steps, trueUpStep({ ...basis, charge: unbounded(charge) }, trueUp.share, used, currency)];
	const isBefore = window?.ended === "BEFORE";
	const before = windowOf(basis, charge, billed, isBefore, ["unitsBilledBefore", "costBilledBefore"]);
	const isFirst = exact(before.rated.quantity ?? zero).eq(0) && before.rated.amount.eq(0);
	if (isFirst) return [...now.steps, windowStep(now.rated, undefined, currency)];
	return [...now.steps, ...before.steps, windowStep(now.rated, before.rated, currency)];
}

function windowOf(
	basis: LineBasis,
	of: NonNullable<LineBasis["charge"]>,
	usage: Decimal,
	isEnded: boolean,
	[units, cost]: readonly [units: Step["of"], cost: Step["of"]],
): { readonly rated: RatedCharge; readonly steps: Step[] } {
	const { unitTransformation = null, limit = zero, transactions } = basis;
	const charge = unbounded(of);
	if (charge.priceTerms?.commitment)
		return commitmentSteps(
			{ ...basis, charge },
			charge.priceTerms.commitment,
			usage,
			isEnded,
			units === "units" && basis.commitment ? [units, cost, basis.commitment] : [units, cost],
		);
	if (charge.priceTerms?.transactionPrice)
		return transactionSteps(
			{ ...basis, charge },
			charge.priceTerms.transactionPrice,
			usage,
			isEnded,
			units === "units" && transactions ? [units, cost, transactions] : [units, cost],
		);
	if (charge.priceTerms?.usageMeasure === "TIME_WEIGHTED")
		return levelSteps(
			{ ...basis, charge },
			usage,
			isEnded,
			units === "units" && basis.levels ? [units, cost, basis.levels] : [units, cost],
		);
	if (charge.priceTerms?.segments)
		return segmentSteps(
			{ ...basis, charge },
			usage,
			isEnded,
			units === "units" && basis.groups !== undefined ? [units, cost, basis.groups] : [units, cost],
		);
	const priced = exact(convertUnits(usage, unitTransformation));
	const counted = unitTransformation
		? `${unitTransformation.round === "UP" ? "ceil" : "floor"}(${signed(usage)} / ${unitTransformation.divide})`
		: signed(usage);
	const at = units === "units" ? "used" : "before";
	const free = freeUnitsAt(basis.freeUnits, at);
	const beyond = (charge.isOverage && limit !== null ? priced.minus(limit) : priced).minus(free);
	const isFree = charge.isOverage && limit === null;
	const quantity = isFree || beyond.lt(0) ? zero : toDecimal(beyond);
	const less = [...(charge.isOverage ? [limit] : []), ...(basis.freeUnits ? [free] : [])];
	const arithmetic = isFree ? "0" : `max(${[counted, ...less].join(" - ")}, 0)`;
	const price = priceOfUsage({ ...basis, charge }, usage, isEnded, free);
	const rated = costOfWindow({ ...basis, charge }, usage, isEnded, at);
	const text = [
		units === "units" ? usedText(basis) : "The part that earlier invoices billed",
		...(unitTransformation ? ["in the units of the price"] : []),
		...(charge.isOverage ? ["beyond the limit"] : []),
		...(basis.freeUnits
			? [`without the units that are free by ${basis.freeUnits.map(({ couponId }) => couponId).join(" and ")}`]
			: []),
	].join(", ");
	return {
		rated,
		steps: [
			{ of: units, text: `${text}.`, arithmetic, value: quantity },
			{
				of: cost,
				text: boundsText(basis),
				arithmetic: bounded({ ...basis, charge }, costOf(charge, quantity, price)),
				value: toDecimal(rated.amount),
			},
		],
	};
}

const usedText = ({ events }: LineBasis): string =>
	events === undefined
		? "The usage of the window"
		: `The highest usage that the window has reached, after ${events} ${events === 1 ? "event" : "events"} since its last invoice`;

const unbounded = (charge: NonNullable<LineBasis["charge"]>) => ({
	...charge,
	minUnitQuantity: null,
	maxUnitQuantity: null,
});

const minimumStep = ({ paid, drawn, onDemand }: NonNullable<LineBasis["minimum"]>): Step => {
	const left = exact(paid).minus(drawn);
	const due = exact(onDemand);
	const most = left.lt(0) ? exact(0) : left;
	const taken = due.lt(0) ? exact(0) : due.lt(most) ? due : most;
	return {
		of: "amount",
		text: "What the minimum spend has paid for: as much as was used, up to what is left of it.",
		arithmetic: `-1 * min(max(${signed(paid)} - ${signed(drawn)}, 0), max(${signed(onDemand)}, 0))`,
		value: toDecimal(taken.times(-1)),
	};
};

/** Returns the arithmetic of a quantity at a price, by the pricing model. */
function costOf(
	{ billingModel, price, tiers, blockSize }: NonNullable<LineBasis["charge"]>,
	quantity: Decimal,
	rated: RatedCharge,
): string {
	const unit = signed(price?.amount ?? zero);
	if (billingModel === "MINIMUM_SPEND") return unit;
	if (billingModel === "FLAT_FEE") return `${unit} * ${signed(quantity)}`;
	if (tiers && tiers.length > 0) return costOfTiers(rated);
	const counted = signed(exact(quantity).lt(0) ? zero : quantity);
	if (!blockSize) return `${unit} * ${counted}`;
	return exact(blockSize).eq(1) ? `${unit} * ceil(${counted})` : `${unit} * ceil(${counted} / ${blockSize})`;
}

/** Returns the arithmetic of the line's own quantity and unit price, if it yields the amount. */
function statedAmount({ quantity, unitPrice, amount }: ExplainedLine, currency: string): Step {
	if (quantity !== null && unitPrice !== null) {
		const made = roundToMinor(exact(quantity).times(exact(unitPrice)), currency);
		if (made.eq(amount))
			return {
				of: "amount",
				text: "The unit price for each unit, rounded once.",
				arithmetic: rounded(`${signed(unitPrice)} * ${signed(quantity)}`, currency),
				value: amount,
			};
	}
	return { of: "amount", text: "As it was stated when it was issued.", arithmetic: signed(amount), value: amount };
}

function discountStep({ amount, discount }: ExplainedLine, basis: LineBasis | null, currency: string): Step {
	if (basis?.discounts) return discountsStep(basis.discounts, { amount, discount }, currency);
	const of = basis?.discount;
	if (of && "percentOff" in of)
		return {
			of: "discount",
			text: `${of.percentOff}% of the amount, rounded once.`,
			arithmetic: rounded(`${signed(amount)} * ${of.percentOff} / 100`, currency),
			value: toDecimal(roundToMinor(exact(amount).times(of.percentOff).times("0.01"), currency)),
		};
	const text = of
		? `Its part of ${of.amountOff} off the period, shared over the lines by their amounts.`
		: exact(discount).eq(0)
			? "No discount."
			: "As it was stated when it was issued.";
	return { of: "discount", text, arithmetic: signed(discount), value: discount };
}

function taxStep({ amount, discount, tax, taxPercentage }: ExplainedLine, currency: string): Step {
	const net = exact(amount).minus(discount);
	const made = roundToMinor(net.times(taxPercentage ?? zero).times("0.01"), currency);
	if (taxPercentage === null || !made.eq(tax))
		return {
			of: "tax",
			text: exact(tax).eq(0) ? "No tax." : "As it was stated when it was issued.",
			arithmetic: signed(tax),
			value: tax,
		};
	return {
		of: "tax",
		text: `${taxPercentage}% of the discounted amount, rounded once.`,
		arithmetic: rounded(`(${signed(amount)} - ${signed(discount)}) * ${taxPercentage} / 100`, currency),
		value: toDecimal(made),
	};
}
