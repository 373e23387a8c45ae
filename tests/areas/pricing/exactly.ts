import { type InvoiceInput, onDemandOf, type RatedInvoice } from "../../../src/areas/pricing/rate";
import type { Decimal } from "../../../src/kernel/decimal";
import { minorDigits } from "../../../src/kernel/money";
import { type ExactInvoice, rateInvoiceExactly } from "../../support/oracle/pricing";
import { parse } from "../../support/oracle/rational";

/** A rated invoice in the oracle's words: whole minor units. What is no whole number of them is an error. */
export function inMinorUnits(rated: RatedInvoice): ExactInvoice {
	const minor = (amount: Decimal) => {
		const { over, under } = parse(amount);
		const scaled = over * 10n ** BigInt(minorDigits(rated.currency));
		if (scaled % under !== 0n) throw new Error(`${amount} ${rated.currency} has a part of a minor unit.`);
		return String(scaled / under);
	};
	const { lines, subTotal, discount, tax, total } = rated;
	return {
		lines: lines.map((line) => ({
			quantity: line.quantity,
			unitPrice: line.unitPrice,
			amount: minor(line.amount),
			discount: minor(line.discount),
			tax: minor(line.tax),
			total: minor(line.total),
		})),
		sums: { amount: minor(subTotal), discount: minor(discount), tax: minor(tax), total: minor(total) },
		minimumDrawdown: minor(rated.minimumDrawdown),
		onDemand: minor(onDemandOf(rated)),
	};
}

export const exactlyOf = (input: InvoiceInput): ExactInvoice => rateInvoiceExactly(input);
