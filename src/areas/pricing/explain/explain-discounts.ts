import { type Decimal, zero } from "../../../kernel/decimal";
import type { DiscountStep } from "../discounts";
import { type ExplainedLine, rounded, type Step, signed } from "./steps";

/** Returns the step that adds the discounts of several coupons. */
export function discountsStep(
	steps: readonly DiscountStep[],
	{ amount, discount }: Pick<ExplainedLine, "amount" | "discount">,
	currency: string,
): Step {
	const arithmetic = steps.some((step) => "charged" in step)
		? reversed(steps, amount, currency)
		: steps.map((step, at) => partOf(step, amount, steps.slice(0, at), currency)).join(" + ");
	return { of: "discount", text: `${steps.map(textOf).join("; then ")}.`, arithmetic, value: discount };
}

/** Returns the arithmetic of a credit, which reverses a part of all discounts of its charge. */
function reversed(steps: readonly DiscountStep[], amount: Decimal, currency: string): string {
	const charged = steps.flatMap((step) => ("charged" in step ? [step.charged] : []));
	const whole = charged.map(({ discount }) => signed(discount)).join(" + ");
	return rounded(`(${whole}) * ${signed(amount)} / ${signed(charged[0]?.of ?? zero)}`, currency);
}

function partOf(step: DiscountStep, amount: Decimal, before: readonly DiscountStep[], currency: string): string {
	if (!("percentOff" in step)) return signed(step.amount);
	const left = step.of ? signed(step.of) : [amount, ...before.map((one) => one.amount)].map(signed).join(" - ");
	return rounded(`(${left}) * ${step.percentOff} / 100`, currency);
}

function textOf(step: DiscountStep): string {
	const { couponId } = step;
	if ("charged" in step) return `${couponId}: the part of the charge's discount that is reversed`;
	const part = step.of ? "the part of the rest for usage that the coupon applies to" : "the rest";
	if ("percentOff" in step) return `${couponId}: ${step.percentOff}% of ${part}, rounded once`;
	return `${couponId}: its part of ${step.amountOff}, shared over the lines by their rests`;
}
