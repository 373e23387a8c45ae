import { expect, test } from "bun:test";
import { createApp } from "../../src/app";
import { type GroupName, groupOf, RouteGroups } from "../../src/routes/groups";
import { world } from "../support/world";

const groupNames: readonly GroupName[] = [
	...(["access", "catalogue", "collection", "contracts", "credits", "customers", "entitlements", "graphql"] as const),
	...(["invoices", "outgoing", "pages", "portal", "probes", "subscriptions"] as const),
];

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string => `${method} ${path}`;

test("a group composes the routes of its paths and no others, and all groups compose all routes", async () => {
	const { services } = world();
	const groups = new RouteGroups(services);
	const composed: string[] = [];
	for (const name of groupNames) {
		const { routes } = await groups.load(name);
		expect(routes.filter(({ path }) => groupOf(path) !== name).map(nameOf)).toEqual([]);
		composed.push(...routes.map(nameOf));
	}
	expect(composed.toSorted()).toEqual(createApp(services).routes.map(nameOf).toSorted());
});

test("a request composes the group of its path and no other", async () => {
	const { services } = world();
	const groups = new RouteGroups(services);
	const declares = (path: string) => groups.declarations.find("GET", path) !== undefined;
	expect(declares("/api/v1/customers/c/entitlements")).toBe(false);
	await groups.handle(new Request("http://localhost/api/v1/customers/c/entitlements/check?featureId=f"));
	expect(declares("/api/v1/customers/c/entitlements")).toBe(true);
	expect([declares("/api/v1/customers"), declares("/api/v1/plans"), declares("/api/v1/invoices")]).toEqual([
		false,
		false,
		false,
	]);
});

test("a later composition of the same routes changes no answer of an earlier one", async () => {
	const { services, key } = world();
	const groups = new RouteGroups(services);
	const messageOf = async () => {
		const headers = { "x-api-key": key, "content-type": "text/plain" };
		const request = new Request("http://localhost/api/v1/events", { method: "POST", headers, body: "text" });
		return await (await groups.handle(request)).text();
	};
	const before = await messageOf();
	expect(before).toContain("application/json");
	await createApp(services).modules;
	expect(await messageOf()).toBe(before);
});

const requests: ReadonlyArray<readonly [method: string, path: string]> = [
	["GET", "/"],
	["GET", "/nowhere"],
	["GET", "/healthz?a=z"],
	["POST", "/readyz"],
	["GET", "/readyz/"],
	["GET", "/api/v1"],
	["GET", "/api/v1/nothing"],
	["GET", "/api/v1/customers/"],
	["DELETE", "/api/v1/customers"],
	["GET", "/api/v1/customers/c/nothing"],
	["PUT", "/api/v1/customers/c/entitlements/check"],
	["GET", "//api/v1/customers"],
	["GET", "/API/v1/customers"],
	["GET", "/api/v1/constructor/x/__proto__"],
	["OPTIONS", "/api/v1/plans"],
	["GET", "/v1/a/k/e/f/nothing"],
];

test.each(requests)("%s %s gets the answer that one app of all routes gives", async (method, path) => {
	const { services, key } = world();
	const app = createApp(services);
	await app.modules;
	const groups = new RouteGroups(services);
	const shown = async (answer: Response) => {
		const headers = Object.fromEntries(answer.headers);
		return { status: answer.status, headers: { ...headers, "x-request-id": "" }, body: await answer.text() };
	};
	const request = () => new Request(`http://localhost${path}`, { method, headers: { "x-api-key": key } });
	expect(await shown(await groups.handle(request()))).toEqual(await shown(await app.handle(request())));
});
