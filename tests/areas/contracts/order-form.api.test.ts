import { describe, expect, test } from "bun:test";
import { findOrderForm } from "../../../src/areas/contracts/order-form/operations";
import { tasks } from "../../../src/tasks/table";
import { renderAsked } from "../../support/process";
import { pageTexts } from "../invoices/pdf-text";
import { rendererOf } from "../invoices/support";
import { contractWorld, draftWorld, fee, items, tiers, year } from "./support";

const pdf = "/contracts/C-1/pdf";
const publish = "/contracts/C-1/billing/publish";
const editActive = "/contracts/C-1/billing/edit-active";

async function orderFormWorld(lines: object[], window: object = year) {
	const here = await draftWorld({ ...window, poNumber: "PO-7" });
	const renderer = rendererOf(here);
	const ok = async (method: string, path: string, body?: object) => {
		const answer = await here.call(method, path, { ...(body && { body }) });
		if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
		return answer.body.data;
	};
	await ok("POST", items, { items: lines, ...window });
	const kept = () => here.transactions.read(here.actor, (work) => findOrderForm(work, "C-1"));
	/** The texts on its pages, after the renderer has run. */
	const printed = async (): Promise<string[]> => {
		const asked = here.call("GET", pdf);
		while (kept() === undefined) {
			await Bun.sleep(1);
			await renderer.runRenderer();
		}
		expect((await asked).status).toBe(200);
		return pageTexts(kept() ?? Buffer.from("")).flat();
	};
	const renders = () => here.transactions.read(here.actor, (work) => work.tx.select().from(tasks).all().length);
	return { ...here, ok, kept, printed, renders };
}

/** The texts that come right after one. */
const after = (texts: readonly string[], text: string, count = 1): string[] => {
	const at = texts.indexOf(text);
	return at < 0 ? [`'${text}' is not there`] : texts.slice(at + 1, at + 1 + count);
};

describe("GET /contracts/{id}/pdf", () => {
	test("answers the file; it is made once, and kept until the contract changes", async () => {
		const here = await orderFormWorld([fee]);
		await here.printed();
		const { status, headers, body } = await here.call("GET", pdf, { key: here.scopedKey("CONTRACT:READ") });
		expect([status, headers.get("content-type"), headers.get("content-disposition")]).toEqual([
			200,
			"application/pdf",
			'inline; filename="order-form-C-1.pdf"',
		]);
		expect(body).toStartWith("%PDF-");
		expect(here.renders()).toBe(1);
		for (const [method, path, change] of [
			["PATCH", "/contracts/C-1", { poNumber: "PO-8" }],
			["PATCH", `${items}/fee`, { rows: [{ price: 120 }] }],
			["PATCH", "/contracts/C-1/billing/settings", { note: "As we spoke." }],
			["PATCH", "/customers/acme", { name: "Acme Holding" }],
			["POST", items, { items: [{ ...fee, externalId: "more", name: "More" }], ...year }],
		] as const) {
			await here.ok(method, path, change);
			expect([path, here.kept()]).toEqual([path, undefined]);
			await here.printed();
		}
		const texts = await here.printed();
		expect(texts).toEqual(expect.arrayContaining(["PO-8", "As we spoke.", "Acme Holding", "More", "$120.00"]));
		expect(here.renders()).toBe(6);
	});

	test("shows parties, items with their prices, totals, each invoice, and where both sign", async () => {
		const here = await orderFormWorld([
			{ ...fee, discount: 10, tax: 20 },
			{ ...fee, name: "Seats", externalId: "seats", pricingModelId: "tiered", rows: tiers, billingCycleUnit: "yearly" },
			{ ...fee, name: "Setup", externalId: "setup", billingCycleUnit: "one_time", rows: [{ price: 500 }] },
		]);
		const texts = await here.printed();
		expect(texts.slice(0, 1)).toEqual(["Order form"]);
		expect(texts).toEqual(expect.arrayContaining(["Acme", "PO-7", "Draft", "30 days net", "1 Jan 2026 – 31 Dec 2026"]));
		// Twelve times 100 less 10 percent.
		expect(texts).toContain("Monthly in advance  ·  1 Jan 2026 – 31 Dec 2026  ·  12 × $90.00");
		expect(texts).toContain("Once  ·  1 Jan 2026 – 31 Dec 2026");
		expect(after(texts, "First 50")).toEqual(["$10.00"]);
		expect(after(texts, "Over 50")).toEqual(["$9.00"]);
		// 1200 − 120 + 216, and 590, and 500.
		expect(
			after(texts, "Total contract value").concat(texts.filter((text) => text.startsWith("Total contract value $"))),
		).toEqual(["$2,386.00 USD", "Total contract value $2,386.00 USD"]);
		const invoices = texts.slice(texts.indexOf("INVOICES"), texts.indexOf("Place, date"));
		expect(invoices.filter((text) => text === "$108.00")).toHaveLength(12);
		expect(after(invoices, "31 Dec 2026", 4)).toEqual(["1 Dec 2026 – 31 Dec 2026", "$90.00", "$18.00", "$108.00"]);
		expect(texts.filter((text) => /^For /.test(text))).toEqual([expect.any(String), "For Acme"]);
		expect(texts.filter((text) => text === "Signature")).toHaveLength(2);
	});

	test("shows prices and no amounts for pay-as-you-go items", async () => {
		const here = await contractWorld();
		await here.call("POST", "/features", {
			body: { id: "calls", displayName: "Calls", featureType: "NUMBER", meterType: "INCREMENTAL" },
		});
		await here.call("POST", "/contracts", {
			body: { customerId: "acme", contractId: "C-1", subscriptions: [{ existingSubscriptionId: "sub-platform" }] },
		});
		const usage = { itemName: "calls", billingCycleUnit: "monthly", netTerms: 30 };
		const each = (pricingModelId: string, rows: object[]) => ({ ...usage, name: pricingModelId, pricingModelId, rows });
		const bounds = [
			{ from: 0, to: 100, price: 2 },
			{ from: 100, to: null, price: 1 },
		];
		const added = await here.call("POST", items, {
			body: {
				items: [
					each("usage-flat", [{ price: 0.005 }]),
					each("usage-package", [{ price: 3, packageSize: 1000 }]),
					each("usage-volume", bounds),
					each("usage-stairstep", bounds),
				],
				...year,
			},
		});
		expect(added.status).toBe(201);
		const { runRenderer } = rendererOf(here);
		const asked = here.call("GET", pdf);
		await renderAsked(here);
		await runRenderer();
		expect((await asked).status).toBe(200);
		const bytes = here.transactions.read(here.actor, (work) => findOrderForm(work, "C-1"));
		const texts = pageTexts(bytes ?? Buffer.from("")).flat();
		expect(texts.filter((text) => text === "as used")).toHaveLength(4);
		expect(texts).toEqual(expect.arrayContaining(["Total contract value $0.00 USD", "$0.005", "Per 1,000", "$3.00"]));
		expect(texts).toEqual(
			expect.arrayContaining([
				"First 100, for all units",
				"Over 100, for all units",
				"First 100, flat",
				"Over 100, flat",
			]),
		);
		expect(texts).not.toContain("INVOICES");
	});

	test("lists the issued invoices of a live contract; their sum stays the total", async () => {
		const window = { activationStartDate: "2026-02-01T00:00:00.000Z", activationEndDate: "2026-06-01T00:00:00.000Z" };
		const here = await orderFormWorld([fee], window);
		await here.ok("POST", publish);
		await here.advance("2026-03-15T00:00:00Z");
		const texts = await here.printed();
		expect(texts).toContain("In force since 31 Jan 2026");
		expect(after(texts, "1 Mar 2026", 6)).toEqual([
			"31 Mar 2026",
			"1 Mar 2026 – 31 Mar 2026",
			"INV-000002",
			"$100.00",
			"$0.00",
			"$100.00",
		]);
		expect(texts.filter((text) => text === "Total contract value $400.00 USD")).toHaveLength(1);
		expect(texts.filter((text) => /^INV-/.test(text))).toEqual(["INV-000001", "INV-000002"]);
		// The next invoice is a change, a day that passes is none.
		const before = here.kept();
		await here.advance("2026-03-16T00:00:00Z");
		expect(here.kept()).toEqual(before);
		await here.advance("2026-04-01T00:00:00Z");
		expect(here.kept()).toBeUndefined();
	});

	test("shows the result of an open amendment, with the current invoice canceled", async () => {
		const window = { activationStartDate: "2026-02-01T00:00:00.000Z", activationEndDate: "2026-06-01T00:00:00.000Z" };
		const here = await orderFormWorld([fee], window);
		await here.ok("POST", publish);
		await here.advance("2026-03-15T00:00:00Z");
		await here.ok("POST", editActive, { includeCurrentInvoice: true });
		await here.ok("PATCH", `${items}/fee`, { rows: [{ price: 150 }] });
		const texts = await here.printed();
		expect(texts).toContain("Amendment, not in force");
		// February as it was; three months issued again, the first of them dated today.
		expect(texts).toContain("Total contract value $550.00 USD");
		expect(texts.filter((text) => /^INV-/.test(text))).toEqual(["INV-000001"]);
		const invoices = texts.slice(texts.indexOf("INVOICES"));
		expect(after(invoices, "15 Mar 2026", 5)).toEqual([
			"14 Apr 2026",
			"1 Mar 2026 – 31 Mar 2026",
			"$150.00",
			"$0.00",
			"$150.00",
		]);
		expect((await here.ok("GET", "/contracts/C-1/billing/summary")).total).toBe(550);
	});

	test("in the customer's language; more invoices than a reader wants are one row", async () => {
		const window = { activationStartDate: "2026-01-01T00:00:00.000Z", activationEndDate: "2032-01-01T00:00:00.000Z" };
		const here = await orderFormWorld([fee], window);
		await here.ok("PATCH", "/customers/acme", { language: "de" });
		await here.ok("PATCH", "/contracts/C-1", {
			renewal: { autoRenew: true, months: 12, noticePeriodDays: 60, upliftPercentage: 3 },
		});
		const texts = await here.printed();
		expect(texts).toEqual(expect.arrayContaining(["Auftrag", "Entwurf", "Unterschrift", "30 Tage netto"]));
		// 59 of 72, and the thirteen that are left.
		expect(after(texts, "13 weitere Rechnungen bis 01.12.2031")).toEqual(["1.300,00\u00a0$"]);
		expect(texts.join(" ")).toContain("um jeweils 12 Monate zu um 3\u00a0% höheren Preisen");
	});

	test("is nobody else's, and needs the scope; a contract without billing or items has none", async () => {
		const here = await draftWorld(year);
		const refused = async (key: string, path = pdf) => {
			const { status, body } = await here.call("GET", path, { key });
			return [status, body.code, body.reason];
		};
		const full = here.scopedKey("CONTRACT:READ");
		expect(await refused(full)).toEqual([400, "BillingContractOperationRejected", "NO_LINE_ITEMS"]);
		expect(await refused(here.foreignKey)).toEqual([404, "ContractNotFound", undefined]);
		expect(await refused(full, "/contracts/nothing/pdf")).toEqual([404, "ContractNotFound", undefined]);
		expect((await refused(here.scopedKey("INVOICE:READ")))[0]).toBe(403);
		expect((await refused(here.publishableKey))[0]).toBe(403);
		await here.call("POST", "/contracts", {
			body: {
				customerId: "acme",
				contractId: "C-2",
				setupBilling: false,
				subscriptions: [{ existingSubscriptionId: "sub-support" }],
			},
		});
		expect(await refused(full, "/contracts/C-2/pdf")).toEqual([
			400,
			"BillingContractOperationRejected",
			"BILLING_NOT_SET_UP",
		]);
	});
});
