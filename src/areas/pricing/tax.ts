import type { Big, Decimal } from "../../kernel/decimal";
import { exact } from "../../kernel/decimal";
import { percentageOf } from "./discount";

/**
 * Returns the tax of one line: a percentage of its discounted amount, rounded once. Source:
 * docs/interface/invoices.md#money.
 */
export const taxOn = (subTotal: Big, discount: Big, taxPercentage: Decimal | null, currency: string): Big =>
	taxPercentage === null ? exact(0) : percentageOf(subTotal.minus(discount), taxPercentage, currency);
