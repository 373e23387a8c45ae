import { expect, test } from "bun:test";
import { documentFrom } from "../documents";
import { decimal, line } from "../samples";

const tax = (taxId: string, percentage: number, amount: number, isInclusive = false) => ({
	taxId,
	displayName: taxId.toUpperCase(),
	percentage: decimal(percentage),
	isInclusive,
	amount: decimal(amount),
});

test("lists a row for each tax and rate, highest first, and the sum of the rates on each line", () => {
	const document = documentFrom({
		currency: "usd",
		lines: [
			line({
				amount: decimal(100),
				tax: decimal(8.75),
				taxPercentage: null,
				taxes: [tax("state", 6.25, 6.25), tax("city", 2.5, 2.5)],
			}),
			line({ amount: decimal(10), tax: decimal(0.63), taxPercentage: null, taxes: [tax("state", 6.25, 0.63)] }),
			line({ amount: decimal(5), taxPercentage: null, taxes: [] }),
		],
	});
	expect(document.lines.map(({ taxRate }) => taxRate)).toEqual(["8.75%", "6.25%", "0%"]);
	expect(document.taxes).toEqual([
		{ rate: "STATE 6.25%", net: "$110.00", tax: "$6.88", gross: "$116.88" },
		{ rate: "CITY 2.5%", net: "$100.00", tax: "$2.50", gross: "$102.50" },
		{ rate: "0%", net: "$5.00", tax: "$0.00", gross: "$5.00" },
	]);
	expect(document.remarks).toEqual([]);
});

test("remarks that unit prices include tax, where they do", () => {
	const document = documentFrom({
		currency: "usd",
		lines: [
			line({
				amount: decimal(100),
				unitPrice: decimal(119),
				tax: decimal(19),
				taxPercentage: null,
				taxes: [tax("vat", 19, 19, true)],
			}),
		],
	});
	expect(document.remarks).toEqual(["Unit prices include tax."]);
});
