import { describe, expect, test } from "bun:test";
import { editActive, type Here, ok, path, publish, published, term, totalOf } from "./amending";
import { fee, items } from "./support";

interface IssuedInvoice {
	readonly issueDate: string;
	readonly total: number;
	readonly lineItems: ReadonlyArray<{ readonly description: string }>;
}
const day = (iso: string) => iso.slice(0, 10);
/** "2026-02-01: 100" for each invoice, in order of their dates. */
const invoicesOf = async ({ call }: Here) =>
	(await call("GET", "/customers/acme/invoices?limit=100")).body.data.map(
		({ issueDate, total }: IssuedInvoice) => `${day(issueDate)}: ${total}`,
	);
const scheduleOf = async (here: Here) => ok(here, "GET", `${path}/billing/invoice-schedule`);
const notesOf = async (here: Here) => ok(here, "GET", `${path}/billing/credit-notes`);

describe("an amendment", () => {
	test("changes what is not invoiced yet; what was issued stays", async () => {
		const here = await published([{ ...fee, billingCycleUnit: "quarterly" }]);
		await here.advance("2026-06-15T00:00:00Z");
		await ok(here, "POST", editActive);
		expect((await ok(here, "GET", path)).billingState).toBe("ACTIVE");
		expect((await ok(here, "PATCH", `${items}/fee`, { rows: [{ price: 150 }] })).total).toBe(2 * 100 + 2 * 150);
		await ok(here, "POST", publish);
		await here.advance("2027-03-01T00:00:00Z");
		expect(await invoicesOf(here)).toEqual([
			"2026-02-01: 100",
			"2026-05-01: 100",
			"2026-08-01: 150",
			"2026-11-01: 150",
		]);
		expect(await totalOf(here)).toBe(500);
		expect((await ok(here, "GET", path)).billingState).toBe("END_BILLING");
	});

	test("nothing is issued while it is open; what fell due meanwhile is issued and dated when it is published", async () => {
		const here = await published([fee], { ...term, activationEndDate: "2026-06-01T00:00:00.000Z" });
		await here.advance("2026-02-15T00:00:00Z");
		await ok(here, "POST", editActive);
		expect((await ok(here, "GET", path)).nextInvoice).toBeNull();
		await here.advance("2026-04-10T00:00:00Z");
		expect(await invoicesOf(here)).toEqual(["2026-02-01: 100"]);
		await ok(here, "POST", publish);
		expect(await invoicesOf(here)).toEqual(["2026-02-01: 100", "2026-04-10: 100", "2026-04-10: 100"]);
		await here.advance("2026-07-01T00:00:00Z");
		expect((await invoicesOf(here)).slice(3)).toEqual(["2026-05-01: 100"]);
	});

	test("thrown away it leaves everything as it was: items, rows, terms, settings, and what it added", async () => {
		const here = await published([fee, { ...fee, externalId: "support", name: "Support" }]);
		await here.advance("2026-02-15T00:00:00Z");
		const before = [
			await scheduleOf(here),
			await ok(here, "GET", `${path}/billing/summary`),
			await ok(here, "GET", path),
		];
		await ok(here, "POST", editActive, { includeCurrentInvoice: true });
		await ok(here, "PATCH", `${items}/fee`, { rows: [{ price: 1 }, { price: 2 }] });
		await ok(here, "DELETE", `${items}/support`);
		await ok(here, "POST", items, { items: [{ name: "More", externalId: "more" }] });
		await ok(here, "PATCH", `${path}/billing/terms`, { activationEndDate: "2028-02-01T00:00:00Z", netTerms: 5 });
		await ok(here, "PATCH", `${path}/billing/settings`, { note: "Other" });
		expect(await scheduleOf(here)).not.toEqual(before[0]);
		await ok(here, "DELETE", editActive);
		expect([
			await scheduleOf(here),
			await ok(here, "GET", `${path}/billing/summary`),
			await ok(here, "GET", path),
		]).toEqual(before);
		expect(await notesOf(here)).toEqual([]);
	});

	test("a line that is taken out ends with what is invoiced of it, in arrears now; its id is free again", async () => {
		const here = await published([fee, { ...fee, externalId: "arrears", name: "Arrears", paymentTime: "IN_ARREARS" }]);
		await here.advance("2026-03-15T00:00:00Z");
		await ok(here, "POST", editActive);
		await ok(here, "DELETE", `${items}/fee`);
		await ok(here, "DELETE", `${items}/arrears`);
		await ok(here, "POST", items, {
			items: [{ ...fee, rows: [{ price: 40 }] }],
			activationStartDate: "2026-04-01T00:00:00Z",
		});
		await ok(here, "POST", publish);
		await here.advance("2026-05-15T00:00:00Z");
		expect(await invoicesOf(here)).toEqual([
			...["2026-02-01: 100", "2026-03-01: 100", "2026-03-01: 100"],
			// March of what is in arrears, cut short and counted whole.
			...["2026-03-15: 100", "2026-04-01: 40", "2026-05-01: 40"],
		]);
	});

	test("leaves removed items out, and keeps the items of an earlier term, whatever dates all items get", async () => {
		const here = await published([fee, { ...fee, externalId: "gone", rows: [{ price: 7 }] }]);
		await ok(here, "PATCH", path, { renewal: { autoRenew: true, months: 12 } });
		await here.advance("2026-06-15T00:00:00Z");
		await ok(here, "POST", editActive);
		await ok(here, "DELETE", `${items}/gone`);
		await ok(here, "POST", publish);
		await here.advance("2027-02-15T00:00:00Z");
		await ok(here, "POST", editActive);
		await ok(here, "PATCH", `${path}/billing/terms`, { activationEndDate: "2027-05-01T00:00:00Z" });
		await ok(here, "PATCH", path, { renewal: { autoRenew: false } });
		await ok(here, "POST", publish);
		await here.advance("2027-07-01T00:00:00Z");
		expect((await invoicesOf(here)).slice(4)).toEqual([
			"2026-06-01: 107",
			...["2026-07-01", "2026-08-01", "2026-09-01", "2026-10-01", "2026-11-01", "2026-12-01"].map((at) => `${at}: 100`),
			...["2027-01-01", "2027-02-01", "2027-03-01", "2027-04-01"].map((at) => `${at}: 100`),
		]);
	});

	test("another end is that of the term to come, where the one before is renewed already, and runs still", async () => {
		const here = await published([fee]);
		await ok(here, "PATCH", path, { renewal: { autoRenew: true, months: 12, noticePeriodDays: 60 } });
		await here.advance("2027-01-15T00:00:00Z");
		await ok(here, "POST", editActive);
		await ok(here, "PATCH", `${path}/billing/terms`, { activationEndDate: "2027-05-01T00:00:00Z" });
		await ok(here, "POST", publish);
		await here.advance("2027-04-15T00:00:00Z");
		expect((await invoicesOf(here)).slice(11)).toEqual([
			"2027-01-01: 100",
			"2027-02-01: 100",
			"2027-03-01: 100",
			"2027-04-01: 100",
		]);
	});

	test("starts added items today, with cycles aligned to those of the others", async () => {
		const here = await published([fee]);
		await here.advance("2026-03-17T10:00:00Z");
		await ok(here, "POST", editActive);
		const added = { ...fee, externalId: "seats", rows: [{ price: 31 }], prorateCutCycles: true };
		await ok(here, "POST", items, { items: [added] });
		await ok(here, "POST", publish);
		await here.advance("2026-04-02T00:00:00Z");
		// 15 of the 31 days of March.
		expect(await invoicesOf(here)).toEqual(["2026-02-01: 100", "2026-03-01: 100", "2026-03-17: 15", "2026-04-01: 131"]);
	});

	test("an item without dates ends at the earlier end to which the amendment moved the contract", async () => {
		// February is invoiced, so nothing of the fee is left to invoice before the new end.
		const here = await published([fee]);
		await here.advance("2026-02-15T00:00:00Z");
		await ok(here, "POST", editActive);
		await ok(here, "PATCH", `${path}/billing/terms`, { activationEndDate: "2026-03-01T00:00:00Z" });
		await ok(here, "POST", items, {
			items: [
				{ ...fee, externalId: "seats", rows: [{ price: 100 }] },
				{ ...fee, externalId: "setup", rows: [{ price: 30 }], billingCycleUnit: "one_time" },
			],
		});
		await ok(here, "POST", publish);
		await here.advance("2026-03-02T00:00:00Z");
		expect((await invoicesOf(here)).toSorted()).toEqual(["2026-02-01: 100", "2026-02-15: 100", "2026-02-15: 30"]);
		expect(await totalOf(here)).toBe(230);
		expect((await ok(here, "GET", path)).billingState).toBe("END_BILLING");
	});

	test.each([
		["before all other items were removed", true],
		["after all other items were removed", false],
	])("an item without dates ends at the end to which the amendment moved the contract %s", async (_, isFirst) => {
		const here = await published([fee]);
		await here.advance("2026-02-15T00:00:00Z");
		await ok(here, "POST", editActive);
		const moveEnd = () => ok(here, "PATCH", `${path}/billing/terms`, { activationEndDate: "2026-05-01T00:00:00Z" });
		if (isFirst) await moveEnd();
		await ok(here, "DELETE", `${items}/fee`);
		if (!isFirst) await moveEnd();
		await ok(here, "POST", items, { items: [{ ...fee, externalId: "seats", rows: [{ price: 40 }] }] });
		await ok(here, "POST", publish);
		await here.advance("2026-06-01T00:00:00Z");
		// The rest of February counts whole; then March and April.
		expect(await invoicesOf(here)).toEqual([
			...["2026-02-01: 100", "2026-02-15: 40", "2026-03-01: 40", "2026-04-01: 40"],
		]);
	});

	test("with the current invoice credits that invoice and issues it again", async () => {
		const here = await published([
			{ ...fee, tax: 20 },
			{ ...fee, externalId: "support", name: "Support" },
			{ ...fee, externalId: "setup", name: "Setup", billingCycleUnit: "one_time" },
		]);
		await here.advance("2026-03-10T00:00:00Z");
		await ok(here, "POST", editActive, { includeCurrentInvoice: true });
		await ok(here, "PATCH", `${items}/fee`, { rows: [{ price: 50 }] });
		await ok(here, "DELETE", `${items}/support`);
		await ok(here, "POST", publish);
		expect((await invoicesOf(here)).toSorted()).toEqual([
			...["2026-02-01: 100", "2026-02-01: 220", "2026-03-01: 220"],
			"2026-03-10: 60",
		]);
		const [note, ...others] = await notesOf(here);
		expect([note.total, note.reasonCode, others.length]).toEqual([220, "ORDER_CHANGE", 0]);
		// Setup, February, and eleven months as amended; March counts once, as it was issued again.
		expect(await totalOf(here)).toBe(100 + 220 + 11 * 60);
		expect((await scheduleOf(here)).total).toBe(100 + 220 + 11 * 60);
		await here.advance("2026-04-02T00:00:00Z");
		expect((await invoicesOf(here)).at(-1)).toBe("2026-04-01: 60");
	});

	test("the current invoice stays where what it was for has gone on since: its cycle was cut, paid whole, and extended", async () => {
		const here = await published([fee], { ...term, activationEndDate: "2026-03-15T00:00:00.000Z" });
		await here.advance("2026-03-10T00:00:00Z");
		await ok(here, "POST", editActive);
		await ok(here, "PATCH", `${path}/billing/terms`, { activationEndDate: "2026-06-01T00:00:00Z" });
		await ok(here, "POST", publish);
		await ok(here, "POST", editActive, { includeCurrentInvoice: true });
		expect(await here.call("POST", publish)).toMatchObject({
			status: 400,
			body: { code: "BillingContractOperationRejected", reason: "INVOICE_NOT_CURRENT" },
		});
		await ok(here, "DELETE", editActive);
		expect(await invoicesOf(here)).toEqual(["2026-02-01: 100", "2026-03-01: 100"]);
	});

	test("reissues from the end of the last paid cycle: that cycle was cut, paid whole, and extended", async () => {
		const here = await published([{ ...fee, billingCycleUnit: "quarterly" }], {
			...term,
			activationEndDate: "2026-03-01T00:00:00.000Z",
		});
		await here.advance("2026-02-15T00:00:00Z");
		await ok(here, "POST", editActive);
		await ok(here, "PATCH", `${path}/billing/terms`, { activationEndDate: "2026-06-01T00:00:00Z" });
		await ok(here, "POST", publish);
		await here.advance("2026-05-10T00:00:00Z");
		expect(await invoicesOf(here)).toEqual(["2026-02-01: 100", "2026-05-01: 100"]);
		await ok(here, "POST", editActive, { includeCurrentInvoice: true });
		expect(await totalOf(here)).toBe(200);
		await ok(here, "PATCH", `${items}/fee`, { rows: [{ price: 50 }] });
		expect(await totalOf(here)).toBe(150);
		await ok(here, "POST", publish);
		// March and April are paid for since February.
		expect((await invoicesOf(here)).toSorted()).toEqual(["2026-02-01: 100", "2026-05-01: 100", "2026-05-10: 50"]);
		const { total, invoices } = await scheduleOf(here);
		expect([total, invoices.at(-1).periodStart, await totalOf(here)]).toEqual([150, "2026-05-01T00:00:00.000Z", 150]);
	});

	test("with the current invoice, the totals are the same before and after it is published", async () => {
		const here = await published([
			{ ...fee, tax: 20, discount: 10 },
			{ ...fee, externalId: "support", name: "Support" },
			{ ...fee, externalId: "setup", name: "Setup", billingCycleUnit: "one_time" },
			{ ...fee, externalId: "usual", name: "Usual", paymentTime: "IN_ARREARS" },
		]);
		await here.advance("2026-03-10T00:00:00Z");
		const before = await totalOf(here);
		await ok(here, "POST", editActive, { includeCurrentInvoice: true });
		expect(await totalOf(here)).toBe(before);
		await ok(here, "PATCH", `${items}/fee`, { rows: [{ price: 50 }] });
		await ok(here, "DELETE", `${items}/support`);
		const open = await ok(here, "GET", `${path}/billing/summary`);
		// The setup, February as it was; then the fee issued again, without the support.
		expect(open.total).toBe(100 + 108 + 100 + 11 * 54 + 12 * 100);
		await ok(here, "POST", publish);
		expect(await ok(here, "GET", `${path}/billing/summary`)).toEqual(open);
	});

	test("is previewed: what it changes by how much, and nothing is done", async () => {
		const here = await published([fee]);
		await here.advance("2026-03-10T00:00:00Z");
		await ok(here, "POST", editActive, { includeCurrentInvoice: true });
		await ok(here, "PATCH", `${items}/fee`, { rows: [{ price: 70 }] });
		const { status, body } = await here.call("POST", `${publish}?dryRun=true`);
		expect(status).toBe(200);
		expect(body.data).toMatchObject({
			isAmendment: true,
			totalBefore: 1200,
			totalAfter: 100 + 11 * 70,
			items: [{ name: "Fee", change: "CHANGED", totalBefore: 1200, totalAfter: 870 }],
			creditedNow: 100,
			laterCount: 10,
			laterTotal: 700,
		});
		expect(body.data.invoicesNow.map(({ total }: IssuedInvoice) => total)).toEqual([70]);
		expect(await notesOf(here)).toEqual([]);
		expect((await invoicesOf(here)).length).toBe(2);
		await ok(here, "POST", publish);
		expect((await invoicesOf(here)).at(-1)).toBe("2026-03-10: 70");
		expect(await totalOf(here)).toBe(870);
	});

	test("a later end goes on where the invoiced time ends: a last cycle that counted whole is not charged again", async () => {
		const here = await published([fee], { ...term, activationEndDate: "2026-03-15T00:00:00.000Z" });
		await here.advance("2026-03-10T00:00:00Z");
		await ok(here, "POST", editActive);
		await ok(here, "PATCH", `${path}/billing/terms`, { activationEndDate: "2026-05-01T00:00:00Z" });
		await ok(here, "POST", publish);
		await here.advance("2026-06-01T00:00:00Z");
		expect(await invoicesOf(here)).toEqual(["2026-02-01: 100", "2026-03-01: 100", "2026-04-01: 100"]);
	});

	test.each([
		["a start of what is invoiced", "PATCH", "/billing/terms", { activationStartDate: "2026-01-01T00:00:00Z" }],
		["a currency of what is invoiced", "PATCH", "/billing/terms", { currency: "eur" }],
	])("%s is refused", async (_, method, tail, body) => {
		const here = await published([fee]);
		await here.advance("2026-02-10T00:00:00Z");
		await ok(here, "POST", editActive);
		expect(await here.call(method, `${path}${tail}`, { body })).toMatchObject({
			status: 400,
			body: { code: "BillingContractOperationRejected", reason: "ITEM_ALREADY_INVOICED" },
		});
	});

	test.each([
		["before", true],
		["after", false],
	])(
		"charges no time twice that the last cycle has paid, if the end is moved %s that cycle has ended",
		async (_, isBefore) => {
			// A month of 100 counts whole, though the contract ends on the 15th.
			const here = await published([fee], { ...term, activationEndDate: "2026-02-15T00:00:00.000Z" });
			await here.advance("2026-02-10T00:00:00Z");
			await ok(here, "POST", editActive, { includeCurrentInvoice: true });
			const moveEnd = () => ok(here, "PATCH", `${path}/billing/terms`, { activationEndDate: "2026-05-01T00:00:00Z" });
			if (isBefore) await moveEnd();
			await here.advance("2026-02-20T00:00:00Z");
			if (!isBefore) await moveEnd();
			expect(await totalOf(here)).toBe(300);
			await ok(here, "POST", publish);
			await here.advance("2026-06-01T00:00:00Z");
			expect(await invoicesOf(here)).toEqual(["2026-02-01: 100", "2026-03-01: 100", "2026-04-01: 100"]);
			expect(await totalOf(here)).toBe(300);
		},
	);

	test("rows of what is invoiced to its end are refused, since nobody would be charged by them", async () => {
		const here = await published([fee, { ...fee, externalId: "setup", billingCycleUnit: "one_time" }]);
		await here.advance("2026-02-10T00:00:00Z");
		await ok(here, "POST", editActive);
		for (const [method, at, body] of [
			["PATCH", `${items}/setup`, { rows: [{ price: 1 }] }],
			["DELETE", `${items}/setup/rows/0`, undefined],
		] as const)
			expect(await here.call(method, at, { ...(body && { body }) })).toMatchObject({
				status: 400,
				body: { reason: "ITEM_FULLY_INVOICED" },
			});
	});

	test.each([
		["POST", "/billing/cancel", "CANCELED"],
		["POST", "/archive", "CANCELED"],
	])("%s %s throws it away first", async (method, tail, state) => {
		const here = await published([fee]);
		const before = await totalOf(here);
		await ok(here, "POST", editActive);
		await ok(here, "PATCH", `${items}/fee`, { rows: [{ price: 1 }] });
		expect((await ok(here, method, `${path}${tail}`)).billingState).toBe(state);
		expect(await totalOf(here)).toBe(before);
	});

	test.each([
		["a text", { includeCurrentInvoice: "true" }],
		["an unknown key", { current: true }],
	])("%s for its setting is refused", async (_, body) => {
		const here = await published([fee]);
		expect(await here.call("POST", editActive, { body })).toMatchObject({
			status: 400,
			body: { code: "BadUserInput" },
		});
	});
});
