import { beforeAll, describe, expect, test } from "bun:test";
import { createApp } from "../../../src/app";
import { changeEnvironment } from "../../../src/areas/access/operations";
import { systemActor } from "../../../src/areas/access/rules.actors";
import type { RouteDetail } from "../../../src/openapi/operation";
import { maker } from "../../areas/packages/catalogue";
import { signedBy } from "../../areas/portal/links";
import { type World, world } from "../../support/world";

/** Stands in the names of all that is not sold, or not any more. */
const unsold = "not for the page";
/** And as its price. */
const unsoldPrice = 987.65;

const flat = (amount: number) => ({
	pricingType: "PAID",
	pricingModels: [
		{ billingModel: "FLAT_FEE", pricePeriods: [{ billingPeriod: "MONTHLY", price: { amount, currency: "usd" } }] },
	],
});

const kinds = ["plans", "addons"] as const;

/**
 * Plans and addons, each: `drafted` only drafted, `sold` published with an open draft, `changed` in its second
 * version, `ended` archived.
 */
async function shop(): Promise<World> {
	const ours = world();
	const { call } = ours;
	const make = maker(ours);
	await make.product();
	await make.feature("sso");
	for (const kind of kinds) {
		const [add, name] = kind === "plans" ? [make.plan, "plan"] : [make.addon, "addon"];
		const changeTo = (id: string, displayName: string, amount: number) =>
			call("PATCH", `/${kind}/${name}-${id}`, { body: { displayName, charges: flat(amount) } });
		for (const id of ["drafted", "sold", "changed", "ended"]) {
			await add(`${name}-${id}`, { displayName: id });
			await changeTo(id, id === "sold" ? "on the page" : unsold, id === "sold" ? 10 : unsoldPrice);
			await make.entitle(`/${kind}/${name}-${id}`, {
				type: "FEATURE",
				id: "sso",
				description: id === "sold" ? "" : unsold,
			});
		}
		for (const id of ["sold", "changed", "ended"]) await make.publish(`/${kind}/${name}-${id}`);
		await call("POST", `/${kind}/${name}-sold/draft`);
		await changeTo("sold", unsold, unsoldPrice);
		await call("POST", `/${kind}/${name}-changed/draft`);
		await changeTo("changed", "on the page", 20);
		await call("PATCH", `/${kind}/${name}-changed/entitlements/sso`, { body: { type: "FEATURE", description: "" } });
		await make.publish(`/${kind}/${name}-changed`);
		expect((await call("POST", `/${kind}/${name}-ended/archive`)).status).toBe(200);
	}
	await call("POST", "/customers", { body: { id: "acme" } });
	return ours;
}

/** The routes that a publishable key may read, and no others: their parameters, and whether they are about a customer. */
const readable: Readonly<Record<string, "catalogue" | "customer">> = {
	"/addons": "catalogue",
	"/addons/:id": "catalogue",
	"/addons/:id/charges": "catalogue",
	"/addons/:id/entitlements": "catalogue",
	"/customers/:id/entitlements": "customer",
	"/customers/:id/entitlements/check": "customer",
	"/customers/:id/portal": "customer",
	"/customers/:id/portal/invoices": "customer",
	"/customers/:id/portal/invoices/:invoiceId/pdf": "customer",
	"/customers/:id/portal/receipts": "customer",
	"/customers/:id/portal/receipts/:receiptId/pdf": "customer",
	"/features": "catalogue",
	"/features/:id": "catalogue",
	"/paywall": "catalogue",
	"/plans": "catalogue",
	"/plans/:id": "catalogue",
	"/plans/:id/charges": "catalogue",
	"/plans/:id/entitlements": "catalogue",
	"/plans/:id/overage-charges": "catalogue",
	"/products": "catalogue",
};

/** The conditions of an answer, whatever the route says itself. */
const queries: Readonly<Record<string, string>> = { "/customers/:id/entitlements/check": "?featureId=sso" };

const subjectOf = (route: string): string =>
	route.startsWith("/plans")
		? "plan-sold"
		: route.startsWith("/addons")
			? "addon-sold"
			: route.startsWith("/features")
				? "sso"
				: "acme";

const callersOf = ({ notes }: RouteDetail = {}) => notes?.callers;

const named = (route: string, id: string): string =>
	`${route.replace(":id", id).replace(/:\w+/g, "some-id")}${queries[route] ?? ""}`;

/** Returns whether the permit let the call pass: the world has no invoice and no receipt of the example's id. */
const isRead = (route: string, status: number, body: { readonly code?: string | null } | undefined): boolean =>
	status === 200 || body?.code === "InvoiceNotFound" || (status === 404 && route.includes("/receipts/"));

describe("a publishable key", () => {
	let ours: World;
	let routes: string[];
	/** They belong to a user, or have tokens of their own. */
	let forNoKeys: ReadonlySet<string>;
	beforeAll(async () => {
		ours = await shop();
		const declared = createApp(ours.services)
			.routes.filter(({ method, path }) => method === "GET" && path.startsWith("/api/v1/"))
			.map(({ path, hooks }) => ({ route: path.replace("/api/v1", ""), callers: callersOf(hooks.detail) }))
			.filter(({ callers }) => callers !== "anyone");
		routes = declared.map(({ route }) => route);
		forNoKeys = new Set(declared.filter(({ callers }) => callers !== undefined).map(({ route }) => route));
	});
	const read = (path: string, headers: Record<string, string> = {}) =>
		ours.call("GET", path, { key: ours.publishableKey, headers });

	test("reads these routes, and no others", async () => {
		const open: string[] = [];
		for (const route of routes) {
			const { status, body } = await read(named(route, subjectOf(route)), signedBy(ours, "acme"));
			// There is no invoice to be shown.
			if (isRead(route, status, body)) open.push(route);
			else expect([route, status]).toEqual([route, forNoKeys.has(route) ? 401 : 403]);
		}
		expect(open.sort()).toEqual(Object.keys(readable));
	});

	test("sees nothing of a draft, a former version or what is archived, whatever it names", async () => {
		const ids = kinds.flatMap((kind) =>
			["drafted", "sold", "changed", "ended"].map((id) => `${kind === "plans" ? "plan" : "addon"}-${id}`),
		);
		const asked = [
			"",
			"?version=1",
			"?version=2",
			"?status=DRAFT",
			"?status=ARCHIVED",
			"?status=DRAFT,PUBLISHED,ARCHIVED",
		];
		const seen: string[] = [];
		for (const route of Object.keys(readable))
			for (const id of route.includes(":id") ? [...ids, subjectOf(route)] : [""])
				for (const query of queries[route] ? [""] : asked) {
					const { status, body } = await read(`${named(route, id)}${query}`);
					expect([200, 400, 404]).toContain(status);
					const text = JSON.stringify(body);
					if (text.includes(unsold) || text.includes(`${unsoldPrice}`)) seen.push(`${route} ${id} ${query}`);
				}
		expect(seen).toEqual([]);
	});

	test("is answered about what is sold, and of the rest as of what there is none of", async () => {
		for (const kind of kinds) {
			const name = kind === "plans" ? "plan" : "addon";
			const { body } = await read(`/${kind}`);
			expect(body.data.map(({ id }: { id: string }) => id).sort()).toEqual([`${name}-changed`, `${name}-sold`]);
			for (const path of ["", "/charges", "/entitlements"]) {
				expect((await read(`/${kind}/${name}-sold${path}`)).status).toBe(200);
				expect((await read(`/${kind}/${name}-changed${path}?version=2`)).status).toBe(200);
				const none = (await read(`/${kind}/nothing${path}`)).body;
				for (const [id, query] of [
					["drafted", ""],
					["drafted", "?version=1"],
					["ended", ""],
					["changed", "?version=1"],
					["sold", "?version=2"],
				]) {
					const { status, body: refusal } = await read(`/${kind}/${name}-${id}${path}${query}`);
					expect(status).toBe(404);
					expect(refusal).toEqual({ ...none, message: none.message.replace("nothing", `${name}-${id}`) });
				}
			}
			expect((await ours.call("GET", `/${kind}`)).body.data).toHaveLength(4);
			expect((await ours.call("GET", `/${kind}/${name}-drafted`)).body.data.displayName).toBe(unsold);
		}
	});

	test("with client hardening proves the customer that a route is about, and needs no proof for the catalogue", async () => {
		ours.transactions.write(systemActor(""), (work) =>
			changeEnvironment(work, ours.environmentId, { clientHardening: true }),
		);
		for (const [route, about] of Object.entries(readable)) {
			const path = named(route, subjectOf(route));
			const codes = [];
			for (const headers of [{}, signedBy(ours, "another"), signedBy(ours, "acme")]) {
				const { status, body } = await read(path, headers);
				codes.push(isRead(route, status, body) ? 200 : body.code);
			}
			const refused = "AuthCustomerMismatch";
			expect([route, ...codes]).toEqual([route, ...(about === "customer" ? [refused, refused, 200] : [200, 200, 200])]);
		}
	});
});
