import { exact, sum, toDecimal } from "../../../kernel/decimal";
import type { TaxBasis } from "../basis";
import { includedRate, type LineTax } from "../tax";
import { type ExplainedLine, rounded, type Step, signed } from "./steps";

type TaxedLine = Pick<ExplainedLine, "amount" | "discount" | "tax" | "taxes">;

const isByInvoice = ({ over, charged }: TaxBasis): boolean => over !== undefined || charged !== undefined;

/** Returns the steps from the amount and the discount with included taxes to those without. */
export function netSteps({ amount, discount, taxes }: TaxedLine, basis: TaxBasis, currency: string): Step[] {
	const { gross } = basis;
	if (!gross) return [];
	const rate = toDecimal(includedRate(taxes ?? []));
	const included = (taxes ?? []).filter(({ isInclusive }) => isInclusive);
	const without = (value: string): string => rounded(`${value} * 100 / (100 + ${rate})`, currency);
	const [whole, left] = [signed(gross.amount), `(${signed(gross.amount)} - ${signed(gross.discount)})`];
	const netDiscount = `${without(whole)} - ${without(left)}`;
	const net = isByInvoice(basis)
		? `${left} - ${signed(toDecimal(sum(included.map((tax) => exact(tax.amount)))))} + ${signed(discount)}`
		: without(whole);
	return [
		{ of: "discount", text: "The discount without the included taxes.", arithmetic: netDiscount, value: discount },
		{ of: "amount", text: `The amount without the included taxes of ${rate}%.`, arithmetic: net, value: amount },
	];
}

/** Returns the step that adds the taxes. */
export function taxesStep(
	taxes: readonly LineTax[],
	{ amount, discount, tax }: TaxedLine,
	basis: TaxBasis | undefined,
	currency: string,
): Step {
	const net = `(${signed(amount)} - ${signed(discount)})`;
	const parts = taxes.map((one) =>
		one.isInclusive || (basis && isByInvoice(basis))
			? signed(one.amount)
			: rounded(`${net} * ${one.percentage} / 100`, currency),
	);
	const named = taxes.map((one) => `${one.percentage}% ${one.displayName}${one.isInclusive ? " (included)" : ""}`);
	const how = basis?.charged
		? "reversed as they were charged"
		: basis?.over !== undefined
			? "each rounded once for the invoice and spread over its lines"
			: "each rounded once";
	return { of: "tax", text: `${named.join(", ")}: ${how}.`, arithmetic: parts.join(" + "), value: tax };
}
