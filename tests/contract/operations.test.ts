import { describe, expect, test } from "bun:test";
import {
	faults,
	type Operation,
	operation,
	operationOf,
	operations,
	placesOf,
	resolve,
	type Schema,
	settled,
} from "./contract";
import { notBuilt } from "./not-built";
import { play } from "./scenario";

const { exchanges } = await play();

const built = operations.filter(({ id }) => !notBuilt.includes(id));
const named = (list: readonly Operation[]) => list.map((one) => [one.id, one] as const);

/** 201 for what creates, 200 for everything else (docs/interface/http.md). */
const creating = new Set([
	...["addons.create", "plans.create", "addons.entitlements.create", "plans.entitlements.create"],
	...[
		"contracts.create",
		"coupons.create",
		"credits.customCurrencies.create",
		"credits.grants.create",
		"customers.provision",
	],
	"customers.promotionalEntitlements.create",
	...["features.createFeature", "products.createProduct", "products.duplicateProduct", "subscriptions.provision"],
	"usage.report",
]);

describe("the harness", () => {
	test("sees a key that is missing, one that is surplus, and one of another type", () => {
		const { response } = operation("coupons.retrieve");
		const { body } = answersOf("coupons.retrieve")[0] ?? {};
		expect(faults(response, body)).toEqual([]);
		const { name: _, ...nameless } = body.data;
		expect(faults(response, { data: nameless })).toEqual([expect.stringContaining("name")]);
		expect(faults(response, { data: { ...body.data, colour: 1 } })).toEqual([expect.stringContaining("colour")]);
		expect(faults(response, { data: { ...body.data, amountsOff: [{ amount: "5", currency: "usd" }] } })).not.toEqual(
			[],
		);
		expect(faults(response, body.data)).not.toEqual([]);
	});
});

describe("answers", () => {
	test.each(named(built))("%s: the success status, and exactly what the contract describes", (_, { id, response }) => {
		const answers = answersOf(id);
		expect(answers.length).toBeGreaterThan(0);
		for (const { status, body } of answers) {
			expect(status).toBe(creating.has(id) ? 201 : 200);
			expect(faults(response, body)).toEqual([]);
		}
	});

	test("timestamps are ISO 8601 in UTC", () => {
		const times = exchanges.flatMap(({ method, path, answer }) => {
			const places = placesOf(operationOf(method, path)?.response ?? {}, answer.body);
			return places.filter(({ schema, value }) => value !== null && settled(schema, value).format === "date-time");
		});
		expect(times.length).toBeGreaterThan(100);
		const odd = times.filter(({ value }) => !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(String(value)));
		expect(odd.map(({ path, value }) => [path, value])).toEqual([]);
	});

	test("money is in major units, and a float's own digits never show", () => {
		const invoices = exchanges
			.filter(({ path }) => path.endsWith("/customers/parent/invoices"))
			.flatMap(({ answer }): Array<{ total: number; lineItems: object[] }> => answer.body.data);
		expect(invoices.find(({ total }) => total === 148.75)?.lineItems.length).toBeGreaterThan(0);
		const numbers = [...JSON.stringify(exchanges.map(({ answer }) => answer.body)).matchAll(/:(-?\d+\.\d+)/g)];
		expect(numbers.map(([, digits = ""]) => digits).filter((digits) => digits.length > 12)).toEqual([]);
	});

	test("every list shows at least one item", () => {
		const lists = built.filter(({ response }) => resolve(resolve(response).properties?.data ?? {}).type === "array");
		const empty = lists.filter(({ id }) => !answersOf(id).some(({ body }) => body.data.length > 0));
		expect(empty.map(({ id }) => id)).toEqual([]);
	});

	test("every key of every resource is shown with a value at least once, but those that nothing fills yet", () => {
		const known = new Set(built.flatMap(({ id, response }) => keysOf(response, id)));
		const shown = new Set<string>();
		for (const { id, response } of built)
			for (const { body } of answersOf(id)) for (const key of shownKeys(response, body, id)) shown.add(key);
		expect([...known].filter((key) => !shown.has(key)).sort()).toEqual([...neverShown].sort());
	});
});

/** Keys whose value can only be null until a later part of the contract is built, or that only another provider fills. */
const neverShown = new Set([
	// No payment, customer-relations or billing provider is connected.
	...["Charge.billingId", "Charge.crmId", "Charge.crmLinkUrl", "Coupon.billingId", "Coupon.billingLinkUrl"],
	...[
		"LatestInvoice.pdfUrl",
		"subscriptions.provision.data.checkoutUrl",
		"subscriptions.provision.data.checkoutBillingId",
	],
	...["", ".billingId", ".billingLinkUrl", ".dimensions", ".priceGroupPackageBillingId"].map(
		(key) => `CustomerIntegration.syncData${key}`,
	),
	// Invoices of credits neither fail nor have addresses of their own, and the built-in billing is in step by itself.
	...["errorMessage", "paymentUrl", "pdfUrl"].map((key) => `CreditGrant.latestInvoice.${key}`),
	...["", ".status", ".syncedEntityId", ".vendorIdentifier"].map((key) => `CreditGrant.syncStates${key}`),
	// Nothing describes a grant, and there are no feature groups.
	...["PromotionalEntitlement.description", "PromotionalEntitlement.featureGroupIds"],
	// All entitlements come at once (docs/interface/http.md): both ends are always reached.
	...["NullableCursorPagination.next", "NullableCursorPagination.prev"],
	// The ledger of credits comes later.
	...["", ".consumed", ".currencyId", ".currentUsage", ".timestamp", ".usageLimit", ".usagePeriodEnd"].map(
		(key) => `usage.report.data.credit${key}`,
	),
	// The meters that neither count nor sum; the scenario's only one sums (entitlements/consumption/estimate.test.ts).
	"CreditEstimate.estimates.breakdown.warningCode",
]);

function answersOf(id: string) {
	return exchanges.filter(({ method, path }) => operationOf(method, path)?.id === id).map(({ answer }) => answer);
}

/** `Coupon.percentOff`, `Subscription.trial`, `coupons.list.pagination`: each key by the resource that it belongs to. */
function keysOf(schema: Schema, of: string): string[] {
	const owner = ownerOf(schema, of);
	const given = resolve(schema);
	const inner = [...(given.oneOf ?? given.anyOf ?? []), ...(given.items ? [given.items] : [])];
	return [
		...inner.flatMap((one) => keysOf(one, owner)),
		...Object.entries(given.properties ?? {}).flatMap(([key, one]) => [
			`${owner}.${key}`,
			...keysOf(one, `${owner}.${key}`),
		]),
	];
}

function shownKeys(schema: Schema, value: unknown, of: string): string[] {
	const given = resolve(schema);
	if (given.oneOf ?? given.anyOf) {
		const alternatives = (given.oneOf ?? given.anyOf ?? []).filter((one) => faults(one, value).length === 0);
		return alternatives.flatMap((one) => shownKeys(one, value, ownerOf(schema, of)));
	}
	const owner = ownerOf(schema, of);
	if (Array.isArray(value)) return value.flatMap((item) => shownKeys(given.items ?? {}, item, owner));
	if (typeof value !== "object" || value === null) return [];
	return Object.entries(value).flatMap(([key, one]) => {
		const known = given.properties?.[key];
		return known && one !== null ? [`${owner}.${key}`, ...shownKeys(known, one, `${owner}.${key}`)] : [];
	});
}

function ownerOf({ $ref }: Schema, of: string): string {
	return $ref?.split("/").at(-1) ?? of;
}
