import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { checkRates } from "../../../../src/areas/invoices/check/operations.rates";
import { checkInvoices } from "../../../../src/areas/invoices/check/operations.sums";
import { checkSubscriptionBills } from "../../../../src/areas/subscriptions/billing/check/operations";
import { writePricesPlain } from "../../../support/plain-prices";
import { flat } from "../../subscriptions/billing";
import { shop } from "../shop";

setDefaultTimeout(60_000);

/** Two lines with two taxes each, rounded for their invoice. */
async function invoiced() {
	const ours = await shop();
	await ours.tax("state", "+6.25");
	await ours.tax("city", "+2.5");
	await ours.settings({ taxes: ["state", "city"], taxRounding: "INVOICE" });
	await ours.plan("pro", [flat({ month: 0.33 })]);
	for (const id of ["one", "two"]) await ours.addon(id, flat({ month: 0.33 }));
	await ours.buy("pro", { addons: ["one", "two"].map((id) => ({ id, quantity: 1 })) });
	const faults = () =>
		ours.transactions.read(ours.actor, (work) => [
			...checkInvoices(work),
			...checkRates(work),
			...checkSubscriptionBills(work),
		]);
	const plant = (...statements: readonly string[]) => {
		writePricesPlain(ours.db.$client);
		for (const statement of statements) ours.db.$client.run(statement);
	};
	return { ...ours, faults, plant };
}

/** Changes the taxes of the first line, and its figures and the sums of the invoice as if it was right. */
const withTaxes = (change: string, cents: number): string[] => [
	`UPDATE invoice_lines SET taxes = ${change}, tax = printf('%.2f', tax + ${cents} / 100.0), total = printf('%.2f', total + ${cents} / 100.0) WHERE position = 0`,
	`UPDATE invoices SET tax = printf('%.2f', tax + ${cents} / 100.0), total = printf('%.2f', total + ${cents} / 100.0)`,
];

describe("the check of bills finds", () => {
	test("nothing where nobody has tampered", async () => {
		expect((await invoiced()).faults()).toEqual([]);
	});

	test.each([
		[
			"a wrong amount of a tax",
			withTaxes("json_set(taxes, '$[0].amount', '0.05')", 3),
			"tax is 0.05, rated again it is 0.02",
		],
		["a wrong rate", withTaxes("json_set(taxes, '$[0].percentage', '9.25')", 0), "rated again"],
		["a missing tax of a line", withTaxes("json_remove(taxes, '$[1]')", -1), "tax"],
		[
			"taxes that do not sum to the tax",
			["UPDATE invoice_lines SET taxes = json_set(taxes, '$[0].amount', '0.01') WHERE position = 0"],
			"its taxes make another sum",
		],
		[
			"another spread of a tax over the lines",
			[
				"UPDATE invoice_lines SET taxes = json_set(taxes, '$[1].amount', '0.00'), tax = '0.02', total = '0.35' WHERE position = 0",
				"UPDATE invoice_lines SET taxes = json_set(taxes, '$[1].amount', '0.01'), tax = '0.03', total = '0.36' WHERE position = 2",
			],
			"rated again",
		],
	])("%s", async (_, statements, finds) => {
		const ours = await invoiced();
		ours.plant(...statements);
		expect(ours.faults().join("\n")).toContain(finds);
	});
});
