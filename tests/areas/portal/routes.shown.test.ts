import { beforeEach, describe, expect, test } from "bun:test";
import { changeEnvironment } from "../../../src/areas/access/operations";
import { systemActor } from "../../../src/areas/access/rules.actors";
import type { World } from "../../support/world";
import { flat, till } from "../subscriptions/billing";
import { provision, shop } from "../subscriptions/shop";
import { portalOf, signedBy } from "./links";

let w: World;
beforeEach(async () => {
	w = await shop();
	await w.call("POST", "/customers", { body: { id: "other" } });
	await provision(w, { planId: "basic", id: "sub-acme" });
	await provision(w, { customerId: "other", planId: "basic", id: "sub-other" });
});

const change = (changes: Parameters<typeof changeEnvironment>[2]) =>
	w.transactions.write(systemActor(""), (work) => changeEnvironment(work, w.environmentId, changes));
const get = (path: string, headers: Record<string, string> = signedBy(w, "acme")) =>
	w.call("GET", path, { key: "", headers });

describe("a page of the seller with a publishable key and a signed customer ID", () => {
	test("shows the same as the portal, without an expiry or a return URL", async () => {
		const { body } = await get("/customers/acme/portal");
		const own = (await (await portalOf(w))("GET", "/portal")).body.data;
		expect(body.data).toEqual({ ...own, returnUrl: null, expiresAt: null });
		expect(body.data.subscriptions).toHaveLength(1);
		const invoices = await get("/customers/acme/portal/invoices");
		expect(invoices.body.data).toEqual((await (await portalOf(w))("GET", "/portal/invoices")).body.data);
		expect(invoices.body.data).not.toEqual([]);
		const money = { customerId: "acme", amount: 12.5, currency: "usd", method: "CARD" };
		await w.call("POST", "/receipts", { body: money });
		const receipts = (await get("/customers/acme/portal/receipts")).body.data;
		expect(receipts[0]).toEqual({
			...{ id: expect.any(String), number: expect.stringMatching(/^R-0/), kind: "PAYMENT", method: "CARD" },
			...{ date: expect.any(String), amount: 12.5, currency: "usd" },
		});
		expect((await (await portalOf(w))("GET", "/portal/receipts")).body.data).toEqual(receipts);
		expect((await get("/customers/other/portal/receipts", signedBy(w, "other"))).body.data).toEqual([]);
		const file = `receipts/${receipts[0].id}/pdf`;
		for (const path of [`/customers/other/portal/${file}`, "/customers/acme/portal/receipts/none/pdf"])
			expect((await w.call("GET", path)).status).toBe(404);
		expect((await (await portalOf(w, "other"))("GET", `/portal/${file}`)).status).toBe(404);
	});

	test.each([true, false])("requires the signature with client hardening and without (%p)", async (clientHardening) => {
		change({ clientHardening });
		const unsigned = { "x-api-key": w.publishableKey };
		const [{ id }] = (await get("/customers/acme/portal/invoices")).body.data;
		for (const path of ["", "/invoices", "/receipts", `/invoices/${id}/pdf`]) {
			for (const headers of [
				unsigned,
				{ ...unsigned, "x-customer-token": "" },
				{ ...unsigned, "x-customer-token": "a".repeat(64) },
				signedBy(w, "other"),
				{ ...signedBy(w, "acme"), "x-customer-token": signedBy(w, "acme")["x-customer-token"]?.toUpperCase() ?? "" },
			]) {
				const { status, body } = await get(`/customers/acme/portal${path}`, headers);
				expect([path, status, body.code]).toEqual([path, 400, "AuthCustomerMismatch"]);
			}
		}
		expect((await get("/customers/acme/portal")).status).toBe(200);
	});

	test("reads no invoice of another customer or environment", async () => {
		const [{ id }] = (await get("/customers/other/portal/invoices", signedBy(w, "other"))).body.data;
		expect((await get(`/customers/acme/portal/invoices/${id}/pdf`)).body.code).toBe("InvoiceNotFound");
		const signature = signedBy(w, "acme")["x-customer-token"] ?? "";
		const elsewhere = await w.call("GET", "/customers/acme/portal", {
			key: w.foreignKey,
			headers: { "x-customer-token": signature },
		});
		expect(elsewhere.body.code).toBe("CustomerNotFound");
	});

	test("gets an error if the customer does not exist or is archived", async () => {
		expect((await get("/customers/none/portal", signedBy(w, "none"))).body.code).toBe("CustomerNotFound");
		await w.call("POST", "/customers", { body: { id: "gone" } });
		await w.call("POST", "/customers/gone/archive");
		for (const path of ["", "/invoices", "/invoices/1/pdf"])
			expect((await get(`/customers/gone/portal${path}`, signedBy(w, "gone"))).body.code).toBe("EntityIsArchivedError");
	});

	test("cannot change anything, here or in the portal", async () => {
		for (const [method, path] of [
			["POST", "/customers/acme/portal-sessions"],
			["POST", "/portal/subscriptions/sub-acme/cancel"],
			["PATCH", "/portal/billing"],
		] as const) {
			const { status } = await w.call(method, path, { key: "", headers: signedBy(w, "acme"), body: {} });
			expect([path, status]).toEqual([path, 403]);
		}
	});

	test("requires an origin that the environment allows", async () => {
		const origin = "https://shop.example";
		const allowed = async (at: string) =>
			(await get("/customers/acme/portal", { ...signedBy(w, "acme"), origin: at })).headers.get(
				"access-control-allow-origin",
			);
		expect(await allowed(origin)).toBeNull();
		change({ allowedOrigins: [origin] });
		expect(await allowed(origin)).toBe(origin);
		expect(await allowed("https://evil.example")).toBeNull();
		const ahead = await w.call("OPTIONS", "/customers/acme/portal/invoices", {
			key: "",
			headers: { origin, "access-control-request-method": "GET" },
		});
		expect(ahead.headers.get("access-control-allow-headers")).toContain("X-CUSTOMER-TOKEN");
	});
});

test("nobody can download a draft invoice", async () => {
	const ours = await till("2026-01-01T00:00:00Z");
	await ours.plan("pro", [flat({ month: 30 })]);
	const [entity] = (await ours.call("GET", "/legal-entities")).body.data;
	await ours.call("PATCH", `/legal-entities/${entity.id}`, { body: { invoiceGracePeriodDays: 3 } });
	await ours.buy("pro");
	await ours.advance("2026-02-02T00:00:00Z");
	const [draft] = (await ours.call("GET", "/customers/acme/invoices?stateIn=DRAFT")).body.data;
	const pdf = `invoices/${draft.invoiceId}/pdf`;
	expect((await ours.call("GET", `/customers/acme/portal/${pdf}`)).body.code).toBe("InvoiceNotFound");
	expect((await (await portalOf(ours))("GET", `/portal/${pdf}`)).body.code).toBe("InvoiceNotFound");
});
