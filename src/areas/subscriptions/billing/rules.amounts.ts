import { type Decimal, exact, sum, toDecimal } from "../../../kernel/decimal";
import type { CreditedAmounts } from "../../billing/table";
import type { LineBasis } from "../../pricing/basis";
import { sumTotals } from "../../pricing/totals";
import { statedAmount } from "./rules.bill";

interface AmountLine extends Readonly<Record<"amount" | "discount" | "tax" | "total", Decimal>> {
	readonly basis: LineBasis | null;
}

/** Returns the sums of lines; where prices include taxes, also the amount with them. */
export function amountsOf(lines: readonly AmountLine[]): CreditedAmounts {
	const sums = sumTotals(lines.map(({ amount, discount, tax, total }) => ({ subTotal: amount, discount, tax, total })));
	if (!lines.some(({ basis }) => basis?.tax?.gross)) return sums;
	return { ...sums, gross: toDecimal(sum(lines.map((line) => exact(statedAmount(line))))) };
}
