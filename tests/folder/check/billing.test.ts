import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { checkContractBills } from "../../../src/areas/contracts/billing/operations.check-cycles";
import { checkRates } from "../../../src/areas/invoices/check/operations.rates";
import { checkSubscriptionBills } from "../../../src/areas/subscriptions/billing/check/operations";
import { checkFolder } from "../../../src/folder/check";
import { fee, items, publishPlan } from "../../areas/contracts/support";
import { flat, perUnit, till, units, used } from "../../areas/subscriptions/billing";
import { writePricesPlain } from "../../support/plain-prices";
import type { World } from "../../support/world";

setDefaultTimeout(60_000);

const differences = ({ transactions, actor }: Pick<World, "transactions" | "actor">): string[] =>
	transactions.read(actor, (work) => [
		...checkRates(work),
		...checkSubscriptionBills(work),
		...checkContractBills(work),
	]);

/** Seats, calls and a fixed coupon, through a change in mid-period and late usage, to the middle of July. */
async function subscribed() {
	const ours = await till("2026-04-01T00:00:00Z");
	await ours.plan("team", [flat({ month: 5 }), perUnit("seats", { month: 10 }), used("calls", { month: 2 })]);
	await ours.coupon("off", { amounts: [7] });
	const id = await ours.buy("team", {
		...units("seats", 3),
		appliedCoupon: { couponId: "off" },
		billingInformation: { taxPercentage: 19 },
	});
	await ours.use("calls", 7);
	await ours.advance("2026-04-16T00:00:00Z");
	await ours.change(id, units("seats", 5));
	await ours.insist("POST", `/subscriptions/${id}/usage/charge`, {});
	await ours.use("calls", 4);
	await ours.advance("2026-05-16T00:00:00Z");
	await ours.use("calls", 1, "2026-04-20T00:00:00Z");
	await ours.advance("2026-07-16T00:00:00Z");
	const run = (statement: string) => {
		writePricesPlain(ours.db.$client);
		ours.db.$client.run(statement);
	};
	return { ...ours, run, id };
}

const seatsLine = "description LIKE 'Seats%' AND amount = '50'";
const renewals = "SELECT id FROM invoices WHERE billing_reason = 'BILLING_CYCLE' ORDER BY sequence LIMIT 1";
const march = `${renewals} OFFSET 1`;

/** Copies an invoice whole, under the next number: so that nothing but the period tells. */
const copyOf = (invoice: string): string[] => [
	`CREATE TEMP TABLE copied AS SELECT * FROM invoices WHERE id = (${invoice})`,
	`CREATE TEMP TABLE copied_lines AS SELECT * FROM invoice_lines WHERE invoice_id = (${invoice})`,
	`UPDATE copied SET id = 'copy', number = 'INV-000099', sequence = 1 + (SELECT max(sequence) FROM invoices), number_count = 1 + (SELECT max(number_count) FROM invoices)`,
	"UPDATE copied_lines SET invoice_id = 'copy', charge_id = charge_id || '-copy'",
	"INSERT INTO invoices SELECT * FROM copied",
	"INSERT INTO invoice_lines SELECT * FROM copied_lines",
];

const drop = (invoice: string): string[] => [
	"PRAGMA foreign_keys = OFF",
	`CREATE TEMP TABLE dropped AS ${invoice}`,
	"DELETE FROM invoice_lines WHERE invoice_id IN (SELECT id FROM dropped)",
	"DELETE FROM invoices WHERE id IN (SELECT id FROM dropped)",
];

describe("rating the invoices of subscriptions again", () => {
	test("yields the issued amounts, unless somebody has tampered", async () => {
		const ours = await subscribed();
		expect(differences(ours)).toEqual([]);
		await ours.insist("POST", `/subscriptions/${ours.id}/cancel`, { cancellationTime: "IMMEDIATE", prorate: true });
		await ours.advance("2026-12-01T00:00:00Z");
		expect(differences(ours)).toEqual([]);
		expect(await checkFolder(ours.folder, { billing: true })).toEqual({ findings: [], notes: [] });
	});

	describe("charges on a credit note of the replaced subscription that were moved to another resource since", () => {
		async function placed() {
			const ours = await till("2026-01-01T00:00:00Z");
			await ours.insist("PATCH", "/products/app", { multipleSubscriptions: true });
			await ours.plan("site", [flat({ month: 5, year: 120 })]);
			await ours.plan("small", [flat({ month: 2, year: 10 })]);
			await ours.coupon("whole", { percent: 100 });
			const buy = (planId: string, billingPeriod: string, more: object = {}) =>
				ours.buy(planId, { billingPeriod, resourceId: "here", ...more });
			return {
				...ours,
				buy,
				move: (id: string) => ours.insist("POST", `/subscriptions/${id}/transfer`, { destinationResourceId: "there" }),
			};
		}

		test("yield the issued amounts, also for a start in the past", async () => {
			const ours = await placed();
			await ours.buy("site", "ANNUALLY");
			await ours.advance("2026-06-22T00:00:00Z");
			const backdated = { startDate: "2026-05-21T00:00:00Z", billingInformation: { isBackdated: true } };
			await ours.move(await ours.buy("small", "MONTHLY", backdated));
			expect(await ours.books()).toHaveLength(2);
			expect(differences(ours)).toEqual([]);
			await ours.advance("2026-09-01T00:00:00Z");
			expect(differences(ours)).toEqual([]);
		});

		test("yield the issued amounts, also where the moved subscription billed waiting charges", async () => {
			const ours = await placed();
			await ours.addon("extra", flat({ month: 5, year: 60 }));
			const id = await ours.buy("site", "ANNUALLY");
			await ours.advance("2026-02-01T00:00:00Z");
			const waiting = { billingInformation: { prorationBehavior: "CREATE_PRORATIONS" } };
			await ours.change(id, { addons: [{ id: "extra", quantity: 3 }], ...waiting });
			await ours.advance("2026-05-01T00:00:00Z");
			await ours.move(await ours.buy("small", "ANNUALLY"));
			expect(differences(ours)).toEqual([]);
		});

		test("yield the issued amounts, also where the subscription waited for its payment", async () => {
			const ours = await placed();
			await ours.buy("small", "ANNUALLY");
			await ours.advance("2026-02-01T00:00:00Z");
			const id = await ours.buy("site", "ANNUALLY", { awaitPaymentConfirmation: true });
			await ours.advance("2026-02-01T12:00:00Z");
			await ours.insist("POST", `/subscriptions/${id}/invoice/paid`, {});
			await ours.move(id);
			await ours.cancel(id, { cancellationTime: "IMMEDIATE", prorate: true });
			expect(differences(ours)).toEqual([]);
			// The excess over the first invoice of its own is credited off the invoice of the subscription that it replaced.
			const notes = await ours.insist("GET", "/customers/acme/credit-notes");
			expect(notes.map(({ invoiceNumber }: { invoiceNumber: string }) => invoiceNumber).toSorted()).toEqual([
				"INV-000001",
				"INV-000002",
			]);
		});

		test("yield the issued amounts, also where one replaced the other several times", async () => {
			const ours = await placed();
			await ours.buy("site", "MONTHLY");
			await ours.advance("2026-01-16T00:00:00Z");
			await ours.buy("small", "ANNUALLY", { appliedCoupon: { couponId: "whole" } });
			await ours.advance("2026-05-01T00:00:00Z");
			await ours.move(await ours.buy("site", "ANNUALLY", { billingInformation: { prorationBehavior: "NONE" } }));
			expect(differences(ours)).toEqual([]);
			await ours.advance("2027-06-01T00:00:00Z");
			expect(differences(ours)).toEqual([]);
		});
	});

	test.each<[string, string[], string]>([
		[
			"a spoilt amount",
			[`UPDATE invoice_lines SET amount = '51' WHERE ${seatsLine}`],
			"(Seats (team)) for 2026-05-01T00:00:00.000Z to 2026-06-01T00:00:00.000Z: amount is 51, rated again it is 50",
		],
		[
			"a spoilt discount",
			[`UPDATE invoice_lines SET discount = '1' WHERE ${seatsLine}`],
			": discount is 1, rated again it is",
		],
		["a spoilt tax", [`UPDATE invoice_lines SET tax = '0' WHERE ${seatsLine}`], ": tax is 0, rated again it is"],
		[
			"another quantity in the basis",
			[`UPDATE invoice_lines SET basis = json_set(basis, '$.quantity', '6') WHERE ${seatsLine}`],
			": amount is 50, rated again it is 60",
		],
		[
			"another price, and the amount that it makes",
			[
				`UPDATE invoice_lines SET basis = json_set(basis, '$.charge.price.amount', '12') WHERE ${seatsLine}`,
				`UPDATE invoice_lines SET amount = '60' WHERE ${seatsLine}`,
			],
			"is none of version 1 of team",
		],
		[
			"a renewal that is dropped",
			drop(march),
			"the period before it, 2026-06-01T00:00:00.000Z to 2026-07-01T00:00:00.000Z",
		],
		[
			"the last renewal dropped",
			drop("SELECT id FROM invoices WHERE billing_reason = 'BILLING_CYCLE' ORDER BY sequence DESC LIMIT 1"),
			"Seats (team) counts as charged for 2026-07-01T00:00:00.000Z to 2026-08-01T00:00:00.000Z",
		],
		["a renewal that is doubled", copyOf(march), "the invoice INV-000099, line 1"],
		[
			"usage whose invoice is dropped",
			drop("SELECT id FROM invoices WHERE billing_reason = 'MANUAL'"),
			"bills from 7 on, expected from 0: what lies between is on no invoice",
		],
		[
			"usage that counts as billed and is not",
			["UPDATE charge_periods SET usage_quantity = '20' WHERE usage_quantity = '12'"],
			"20 counts as billed, its invoices bill 12",
		],
		[
			"usage that is billed otherwise than it was counted",
			[
				"UPDATE charge_periods SET usage_quantity = '9' WHERE usage_quantity = '12'",
				"UPDATE invoice_lines SET basis = json_set(basis, '$.quantity', '9') WHERE basis ->> '$.quantity' = '12'",
			],
			"9 counts as billed, its 3 events make 12",
		],
		[
			"usage that counts as charged at another amount",
			["UPDATE charge_periods SET rated = json_set(rated, '$.subTotal', '9') WHERE usage_quantity = '12'"],
			"counts as charged, its lines make 24",
		],
		[
			"a charge next to a contract",
			["UPDATE invoices SET contract_id = 'some'"],
			"charges a subscription that is on a contract",
		],
	])("%s is found", async (_, tampering, found) => {
		const ours = await subscribed();
		for (const statement of tampering) ours.run(statement);
		expect(differences(ours).join("\n")).toContain(found);
	});
});

async function contracted() {
	const ours = await till("2026-01-01T00:00:00Z");
	await publishPlan(ours, "platform", "CUSTOM");
	const window = { activationStartDate: "2026-02-01T00:00:00Z", activationEndDate: "2027-02-01T00:00:00Z" };
	const usage = {
		name: "Calls",
		externalId: "calls",
		itemName: "calls",
		pricingModelId: "usage-tiered",
		rows: [{ to: 5, price: 0.1 }, { price: 0.05 }],
		netTerms: 10,
	};
	await ours.insist("POST", "/contracts", {
		customerId: "acme",
		contractId: "C-1",
		subscriptions: [{ newSubscription: { customerId: "acme", planId: "platform" } }],
	});
	await ours.insist("POST", items, { items: [{ ...fee, discount: 10, tax: 20 }, usage], ...window });
	await ours.advance("2026-01-15T00:00:00Z");
	await ours.insist("POST", "/contracts/C-1/billing/publish");
	await ours.advance("2026-02-10T00:00:00Z");
	await ours.use("calls", 7);
	await ours.advance("2026-03-10T00:00:00Z");
	await ours.use("calls", 2, "2026-02-12T00:00:00Z");
	await ours.use("calls", 3);
	await ours.advance("2026-04-15T00:00:00Z");
	return {
		...ours,
		run: (statement: string) => {
			writePricesPlain(ours.db.$client);
			ours.db.$client.run(statement);
		},
	};
}

const firstFee =
	"SELECT invoice_id AS id FROM invoice_lines WHERE description = 'Fee' ORDER BY period_start LIMIT 1 OFFSET 1";

describe("rating the invoices of contracts again", () => {
	test("yields the issued amounts: late usage, an amendment that issues the current invoice again", async () => {
		const ours = await contracted();
		expect(differences(ours)).toEqual([]);
		await ours.insist("POST", "/contracts/C-1/billing/edit-active", { includeCurrentInvoice: true });
		await ours.insist("PATCH", `${items}/fee`, { rows: [{ price: 150 }] });
		await ours.insist("POST", "/contracts/C-1/billing/publish");
		await ours.advance("2027-06-01T00:00:00Z");
		expect(differences(ours)).toEqual([]);
		expect(await checkFolder(ours.folder, { billing: true })).toEqual({ findings: [], notes: [] });
	});

	test.each<[string, string[], string]>([
		[
			"a spoilt amount",
			["UPDATE invoice_lines SET amount = '101' WHERE description = 'Fee' AND amount = '100'"],
			"the invoice INV-000001, line 1 (Fee) for 2026-02-01T00:00:00.000Z to 2026-03-01T00:00:00.000Z: amount is 101, rated again it is 100",
		],
		[
			"other rows in the basis, and the figures that they make",
			[
				`UPDATE invoice_lines SET basis = json_set(basis, '$.contractItem.rows[0].price', '200'), amount = '200', discount = '20', tax = '36', total = '216' WHERE description = 'Fee'`,
			],
			"its item has",
		],
		["an invoice that is dropped", drop(firstFee), "subTotal 100 counts as invoiced, its lines make 0"],
		["a cycle that is doubled", copyOf(firstFee), "the invoice INV-000099, line 1 (Fee)"],
		[
			"usage that counts as billed and is not",
			["UPDATE charge_periods SET usage_quantity = '11' WHERE usage_quantity = '9'"],
			"11 counts as billed, its invoices bill 9",
		],
		[
			"late usage that is billed again",
			["UPDATE invoice_lines SET basis = json_set(basis, '$.billed', '5') WHERE basis ->> '$.billed' = '7'"],
			"bills from 5 on, expected from 7",
		],
	])("%s is found", async (_, tampering, found) => {
		const ours = await contracted();
		for (const statement of tampering) ours.run(statement);
		expect(differences(ours).join("\n")).toContain(found);
	});
});

test("the first difference is all that is named, with its environment", async () => {
	const ours = await subscribed();
	ours.run("UPDATE invoice_lines SET basis = json_set(basis, '$.quantity', '6') WHERE description LIKE 'Seats%'");
	const { findings } = await checkFolder(ours.folder, { billing: true });
	expect(findings).toEqual([expect.stringMatching(/^environment main: the invoice INV-000001, line \d \(Seats/)]);
	expect(await checkFolder(ours.folder)).toEqual({ findings: [], notes: [] });
});
