import { describe, expect, test } from "bun:test";
import { createApp } from "../../src/app";
import { world } from "../support/world";
import { type Operation, operations, queryKeys, resolve, type Schema, shapeOf } from "./contract";
import { notBuilt } from "./not-built";
import { templates } from "./routes";

const app = createApp(world().services);
await app.modules;

const document = await app
	.handle(new Request("http://localhost/openapi.json"))
	.then((response) => response.json() as Promise<Document>);

interface Document {
	readonly info: { readonly description: string };
	readonly tags: ReadonlyArray<{ readonly name: string }>;
	readonly paths: Record<string, Record<string, Documented>>;
	readonly components: { readonly schemas: Record<string, Schema> };
}

interface Documented {
	readonly operationId: string;
	readonly summary: string;
	readonly description: string;
	readonly tags: readonly string[];
	readonly security: ReadonlyArray<Record<string, readonly string[]>>;
	readonly parameters: ReadonlyArray<{ readonly in: string; readonly name: string; readonly description: string }>;
	readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema; readonly example?: unknown }> };
	readonly responses: Record<string, { readonly description?: string; readonly $ref?: string }>;
}

/** A schema of the document, or the one that it refers to. */
function described(schema: Schema): Schema {
	const name = schema.$ref?.replace("#/components/schemas/", "");
	return name === undefined ? schema : described(document.components.schemas[name] ?? {});
}

/** The schemas of the refusals of an operation, by status. */
const refusalsOf = (path: string, method: string): Record<string, unknown> => {
	const responses: Documented["responses"] = document.paths[path]?.[method]?.responses ?? {};
	return Object.fromEntries(
		Object.entries(responses)
			.filter(([status]) => Number(status) >= 400)
			.map(([status, one]) => [
				status,
				(one as { content?: Record<string, { schema: unknown }> }).content?.["application/json"]?.schema,
			]),
	);
};

test("the refusals of the SCIM routes have the shape of SCIM", () => {
	const scim = Object.entries(document.paths).filter(([path]) => path.includes("/scim/v2/"));
	expect(scim.length).toBeGreaterThan(5);
	const own = { $ref: "#/components/schemas/ScimError" };
	for (const [path, methods] of scim)
		for (const method of Object.keys(methods))
			for (const [status, schema] of Object.entries(refusalsOf(path, method)))
				expect(schema).toEqual(status === "400" ? { anyOf: [own, { $ref: "#/components/schemas/Error" }] } : own);
	expect(refusalsOf("/api/v1/scim/v2/Users/{id}", "get")).toMatchObject({ 401: own, 404: own });
});

test("canceling events declares the 404 of an unknown event", () => {
	expect(refusalsOf("/api/v1/events/cancel", "post")).toMatchObject({ 404: { $ref: "#/components/schemas/Error" } });
});

const built = operations.filter(({ id }) => !notBuilt.includes(id));
const named = (list: readonly Operation[]) => list.map((one) => [one.id, one] as const);

/** Our terms of a sale: a preview, a provision and an update take them alike. */
const beyondSale = [
	"appliedCoupons",
	"billingAnchor",
	"billingCurrency",
	"billingInterval",
	"commitments",
	"effectiveDate",
	"includesChildUsage",
	"phases",
	"prorationMode",
	"spendThresholds",
	"taxes",
	"term",
	"timeZone",
];

/**
 * Fields that we take beyond the contract: a contract's own id makes its creation safe to repeat (docs/interface/http.md), and
 * the total of seats in a billing period (docs/interface/usage.md), and billing periods of any length (docs/interface/catalogue.md).
 */
const beyond: Readonly<Record<string, readonly string[]>> = {
	"contracts.create": ["contractId", "renewal"],
	"contracts.update": ["renewal"],
	"features.createFeature": ["billedUsage"],
	"features.updateFeature": ["billedUsage"],
	"coupons.create": ["appliesTo", "frequency", "durationInPeriods", "freeUnits"],
	"customers.provision": ["billingAnchor", "billsTo", "invoiceGrouping", "parentCustomerId", "taxes"],
	"customers.update": ["billingAnchor", "billsTo", "invoiceGrouping", "parentCustomerId", "taxes"],
	"subscriptions.cancel": ["isBackdated"],
	"subscriptions.preview": [...beyondSale, "priceOverrides"],
	"subscriptions.provision": beyondSale,
	"subscriptions.update": beyondSale,
};

/** Query parameters that we add: one version by its number, a publication that is only tried, what has a problem, and why. */
const beyondQuery: Readonly<Record<string, readonly string[]>> = {
	...Object.fromEntries(
		["plans.retrieve", "plans.listCharges", "plans.listOverageCharges", "plans.entitlements.list"]
			.flatMap((id) => [id, id.replace("plans", "addons")])
			.map((id) => [id, ["version"]]),
	),
	"plans.publish": ["dryRun"],
	"addons.publish": ["dryRun"],
	...Object.fromEntries(
		["addons.list", "coupons.list", "features.listFeatures", "plans.list", "products.listProducts"].map((id) => [
			id,
			["search"],
		]),
	),
	"events.beta.customers.retrieveGovernance": ["includeUsage"],
	"customers.list": ["couponId", "parentCustomerId", "search"],
	"contracts.list": ["expiresWithinDays", "search"],
	"subscriptions.list": ["hasProblem", "search", "trialEndsWithinDays"],
	"customers.listInvoices": ["dueBefore", "number", "overdue", "search"],
	// Why a check answers what it does.
	"customers.retrieveEntitlements": ["explain"],
	"customers.checkEntitlement": ["dimensions", "explain"],
	"v1Beta.customers.entitlements.check": ["explain"],
};

describe("the OpenAPI document", () => {
	const documented = new Map(
		Object.entries(document.paths).flatMap(([path, methods]) =>
			Object.entries(methods).map(([method, one]) => [`${method.toUpperCase()} ${shapeOf(path)}`, one] as const),
		),
	);

	test("has every operation of the contract that is built, and none of the others", () => {
		const missing = operations.filter(({ method, path }) => !documented.has(`${method} ${shapeOf(path)}`));
		expect(missing.map(({ id }) => id).sort()).toEqual([...notBuilt].sort());
	});

	test("writes its paths as the contract does: no slash at the end", () => {
		expect(Object.keys(document.paths).filter((path) => path.length > 1 && path.endsWith("/"))).toEqual([]);
	});

	test.each(named(built))("%s: the same query parameters and body fields", (_, { id, method, path, query, body }) => {
		const one = documented.get(`${method} ${shapeOf(path)}`);
		const parameters = (one?.parameters ?? []).filter(({ in: place }) => place === "query").map(({ name }) => name);
		expect(parameters.sort()).toEqual([...queryKeys(query), ...(beyondQuery[id] ?? [])].sort());
		const shape = one?.requestBody?.content["application/json"]?.schema;
		if (!body || shape === undefined) return expect(shape).toBeUndefined();
		expect(topFields(shape, described)).toEqual([...topFields(body, resolve), ...(beyond[id] ?? [])].sort());
	});
});

describe("generating a client", () => {
	const all = Object.entries(document.paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, one]) => ({
			route: `${method.toUpperCase()} ${shapeOf(path)}`,
			path,
			...one,
		})),
	);
	const byRoute = new Map(all.map((one) => [one.route, one]));

	test("every operation has the interface's name, and no two have the same", () => {
		const wrong = operations.flatMap(({ id, method, path }) => {
			const one = byRoute.get(`${method} ${shapeOf(path)}`);
			return one && one.operationId !== id ? [`${id}: ${one.operationId}`] : [];
		});
		expect(wrong).toEqual([]);
		expect(new Set(all.map(({ operationId }) => operationId)).size).toBe(all.length);
	});

	test("no route of the API is left out", () => {
		const served = app.routes
			.filter(({ path }) => path.startsWith("/api/"))
			.map(({ method, path }) => `${method} ${shapeOf(path)}`);
		expect(served.filter((route) => !byRoute.has(route))).toEqual([]);
	});

	test("every operation says what it does, in a known group, and what it is sent as an example", () => {
		const groups = document.tags.map(({ name }) => name);
		const wanting = all.filter(
			({ summary, description, tags, requestBody }) =>
				!summary ||
				!description ||
				tags.some((tag) => !groups.includes(tag)) ||
				(requestBody && Object.values(requestBody.content).some(({ example }) => example === undefined)),
		);
		expect(wanting.map(({ operationId }) => operationId)).toEqual([]);
	});

	test("every parameter is described", () => {
		const wanting = all.flatMap(({ operationId, parameters }) =>
			parameters.filter((one) => !("$ref" in one) && !one.description).map(({ name }) => `${operationId} ${name}`),
		);
		expect(wanting).toEqual([]);
	});

	test("every object with fields has a name", () => {
		const inline: string[] = [];
		const walk = (value: unknown, at: string): void => {
			if (typeof value !== "object" || value === null) return;
			if ("properties" in value && Object.keys(value.properties ?? {}).length > 0 && "type" in value) inline.push(at);
			for (const [key, inner] of Object.entries(value)) walk(inner, `${at}/${key}`);
		};
		walk(document.paths, "");
		for (const [name, schema] of Object.entries(document.components.schemas))
			for (const [key, inner] of Object.entries(schema.properties ?? {})) walk(inner, `${name}/${key}`);
		expect(inline).toEqual([]);
	});

	test("says who may call, and what they are refused with", () => {
		const login = all.find(({ operationId }) => operationId === "auth.login");
		expect(login?.security).toEqual([]);
		const check = all.find(({ operationId }) => operationId === "customers.checkEntitlement");
		expect(check?.security).toEqual([
			{ serverKey: ["CUSTOMER:READ"] },
			{ userToken: ["CUSTOMER:READ"], environment: [] },
			{ publishableKey: [] },
		]);
		const open = [
			...["auth.acceptInvitation", "auth.login", "auth.oidc.callback", "auth.oidc.list", "auth.oidc.start"],
			...[
				"auth.requestPasswordReset",
				"auth.resetPassword",
				"health.alive",
				"health.ready",
				"providerConnections.receiveEvent",
			],
		];
		const withoutKey = all.filter(({ security }) => security.length === 0).map(({ operationId }) => operationId);
		expect(withoutKey.sort()).toEqual(open);
		const limited = all.filter(({ responses }) => responses["429"]).map(({ operationId }) => operationId);
		expect(limited.length).toBeGreaterThan(10);
	});

	test("names the codes by which a route refuses what is not there", () => {
		const missing = Object.entries(templates).flatMap(([route, { unknown = [] }]) => {
			const [method = "", path = ""] = route.split(" ");
			const one = byRoute.get(`${method} ${shapeOf(`/api/v1${path}`)}`);
			return unknown.flatMap(([, code]) =>
				code === null || one?.responses["404"]?.description?.includes(`\`${code}\``) ? [] : [`${route}: ${code}`],
			);
		});
		expect(missing).toEqual([]);
	});
});

/** The fields of a body, those of all alternatives where there are several, with a mark on what is required. */
function topFields(schema: Schema, look: (schema: Schema) => Schema): string[] {
	const { properties = {}, required = [], oneOf, anyOf } = look(schema);
	const alternatives = oneOf ?? anyOf;
	if (alternatives) return [...new Set(alternatives.flatMap((one) => topFields(one, look)))].sort();
	return Object.keys(properties)
		.map((key) => (required.includes(key) ? `${key}!` : key))
		.sort();
}
