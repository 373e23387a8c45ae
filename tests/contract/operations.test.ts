import { describe, expect, test } from "bun:test";
import { Kind, type TSchema } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";
import { createApp } from "../../src/app";
import { EventReport } from "../../src/areas/usage/schema";
import {
	changed,
	faults,
	fullest,
	isNullable,
	type Operation,
	operation,
	operationOf,
	operations,
	type Place,
	placesOf,
	resolve,
	type Schema,
	settled,
	shapeOf,
} from "./contract";
import { notBuilt } from "./not-built";
import { play } from "./scenario";

const { here, exchanges } = await play();
const { call, services } = here;
const { routes } = createApp(services);
const document = await createApp(services)
	.handle(new Request("http://localhost/openapi.json"))
	.then((response) => response.json() as Promise<{ paths: Record<string, Record<string, Documented>> }>);

interface Documented {
	readonly parameters?: ReadonlyArray<{ readonly in: string; readonly name: string }>;
	readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
}

const built = operations.filter(({ id }) => !notBuilt.includes(id));
const named = (list: readonly Operation[]) => list.map((one) => [one.id, one] as const);
const taking = built.filter(({ body }) => body !== null);

/** 201 for what creates, 200 for everything else (choices.md, HTTP). */
const creating = new Set([
	...["addons.create", "plans.create", "addons.entitlements.create", "plans.entitlements.create"],
	...["contracts.create", "coupons.create", "credits.customCurrencies.create", "customers.provision"],
	...["features.createFeature", "products.createProduct", "subscriptions.provision"],
]);

describe("the harness", () => {
	test("sees a key that is missing, one that is surplus, and one of another type", () => {
		const { response } = operation("coupons.retrieve");
		const { body } = answersOf("coupons.retrieve")[0] ?? {};
		expect(faults(response, body)).toEqual([]);
		const { name: _, ...nameless } = body.data;
		expect(faults(response, { data: nameless })).toEqual([expect.stringContaining("name")]);
		expect(faults(response, { data: { ...body.data, colour: 1 } })).toEqual([expect.stringContaining("colour")]);
		expect(faults(response, { data: { ...body.data, amountsOff: [{ amount: "5", currency: "usd" }] } })).not.toEqual([]);
		expect(faults(response, body.data)).not.toEqual([]);
	});
});

describe("answers", () => {
	test.each(named(built))("%s: the success status, and exactly what the contract describes", ({}, { id, response }) => {
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
	...["LatestInvoice.pdfUrl", "subscriptions.provision.data.checkoutUrl", "subscriptions.provision.data.checkoutBillingId"],
	// Null is "not told": plans and addons know no subscriptions.
	"Charge.usedInSubscriptions",
	// All entitlements come at once (semantics 2): both ends are always reached.
	...["NullableCursorPagination.next", "NullableCursorPagination.prev"],
	// Archiving currencies, migrating subscriptions, trials, scheduled changes and the invoices of contracts come later.
	...["CustomCurrency.archivedAt", "PublishResult.taskId", "Subscription.trial", "Subscription.trial.trialEndBehavior"],
	...["Subscription.trialEndDate", "customers.listInvoices.data.contractExternalId"],
	...["scheduledExecutionTime", "scheduleStatus", "subscriptionScheduleType", "targetPackage"].map(
		(key) => `Subscription.futureUpdates.${key}`,
	),
	...["Contract.latestInvoice", "Contract.nextInvoice"],
	...["amount", "dueDate", "periodEnd", "periodStart"].map((key) => `Contract.nextInvoice.${key}`),
]);

describe("request bodies", () => {
	describe.each(named(taking))("%s", ({}, taken) => {
		const schema = taken.body ?? {};
		const bodies = bodiesOf(schema);
		const ours = schemaOf(taken);

		test("takes every field at once", () => {
			for (const body of bodies) {
				expect(faults(schema, body)).toEqual([]);
				expect(refusals(ours, body)).toEqual([]);
			}
		});

		test("takes every value of every enumeration, and null where the contract has it", () => {
			for (const [body, place] of everyPlace(schema, bodies)) {
				const { enum: choices = [] } = settled(place.schema, place.value);
				const others = isNullable(place.schema) ? [...choices, null] : choices;
				for (const other of others) expect(refusals(ours, changed(body, place.path, other))).toEqual([]);
			}
		});

		test("takes a body without what is optional", () => {
			for (const [body, place] of everyPlace(schema, bodies))
				if (!place.required) expect(refusals(ours, changed(body, place.path, undefined))).toEqual([]);
		});

		const refused = async (body: unknown, place: Place, why: string) => {
			here.limitClock.ms += 60_000;
			const answer = await call(taken.method, concrete(taken.path), { body: JSON.stringify(body) });
			const where = `${why} at /${place.path.join("/")}`;
			expect({ where, status: answer.status, code: answer.body.code }).toEqual({
				where,
				status: 400,
				code: "BadUserInput",
			});
		};

		test("refuses a body without what is required", async () => {
			for (const [body, place] of everyPlace(schema, bodies)) {
				if (!place.required || place.path.length === 0) continue;
				// "May be an empty object": the interface is wider than the contract here (Plan entitlement).
				if (place.path.at(-1) === "accordingTo") continue;
				await refused(changed(body, place.path, undefined), place, "missing");
			}
		});

		test("refuses a value outside its enumeration", async () => {
			for (const [body, place] of everyPlace(schema, bodies)) {
				const { enum: choices, const: only } = settled(place.schema, place.value);
				if (choices || only !== undefined) await refused(changed(body, place.path, "NO_SUCH_VALUE"), place, "unknown");
			}
		});

		test("refuses a value of another type, and null where the contract has none", async () => {
			for (const [body, place] of everyPlace(schema, bodies)) {
				for (const other of wrongTypes(settled(place.schema, place.value)))
					await refused(changed(body, place.path, other), place, `${JSON.stringify(other)}`);
				if (!isNullable(place.schema) && !widerOnNull(place))
					await refused(changed(body, place.path, null), place, "null");
			}
		});

		test("refuses a key that the contract does not know, at any depth", async () => {
			for (const [body, place] of everyPlace(schema, bodies)) {
				if (settled(place.schema, place.value).properties === undefined) continue;
				await refused(changed(body, [...place.path, "surprise"], 1), place, "surplus");
			}
		});
	});
});

/** Where we take null on purpose: it is the same as leaving the key out, and other calls of the contract take it there. */
const takingNull: ReadonlySet<unknown> = new Set([
	...["upTo", "costFormula"],
	...["yearly", "monthly", "weekly"].map((span) => `${span}ResetPeriodConfiguration`),
]);
const widerOnNull = ({ path }: Place): boolean => takingNull.has(path.at(-1));

/** Fields that we take beyond the contract: a contract's own id makes its creation safe to repeat (semantics-extra 5). */
const beyond: Readonly<Record<string, readonly string[]>> = { "contracts.create": ["contractId"] };

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

	test.each(named(built))("%s: the same query parameters and body fields", ({}, { id, method, path, query, body }) => {
		const one = documented.get(`${method} ${shapeOf(path)}`);
		const parameters = (one?.parameters ?? []).filter(({ in: place }) => place === "query").map(({ name }) => name);
		expect(parameters.sort()).toEqual(queryKeys(query).sort());
		const shape = one?.requestBody?.content["application/json"]?.schema;
		if (!body || shape === undefined) return expect(shape).toBeUndefined();
		expect(topFields(shape)).toEqual([...topFields(body), ...(beyond[id] ?? [])].sort());
	});
});

describe("query parameters", () => {
	test.each(named(built.filter(({ query }) => query)))("%s: takes each, refuses values outside", async ({}, taken) => {
		const { properties = {}, required = [] } = resolve(taken.query ?? {});
		const ask = async (parameters: Record<string, string>) => {
			const wanted = Object.fromEntries(required.map((key) => [key, textOf(key, properties[key] ?? {})]));
			// A check is about a feature or a currency: one of the two, though the contract's types require neither.
			const about = "currencyId" in properties && !parameters.currencyId ? { featureId: "calls" } : {};
			const search = new URLSearchParams({ ...wanted, ...about, ...parameters });
			return call(taken.method, `${concrete(taken.path)}?${search}`);
		};
		for (const key of queryKeys(taken.query)) {
			if (key === "after" || key === "before") continue;
			const schema = resolve(properties[key] ?? {});
			const choices = resolve(schema.items ?? schema).enum as string[] | undefined;
			const values = choices ? [...choices, ...(schema.items ? [choices.join(",")] : [])] : [textOf(key, schema)];
			for (const value of values) expect([key, (await ask({ [key]: value })).status]).toEqual([key, 200]);
			const wrong = choices || key.startsWith("state") ? "NO_SUCH_VALUE" : key.startsWith("createdAt") || schema.format ? "yesterday" : null;
			if (wrong !== null) expect(await ask({ [key]: wrong })).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
		}
		for (const limit of ["0", "101", "1.5", "ten", ""])
			if (properties.limit) expect(await ask({ limit })).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
		for (const key of ["after", "before"])
			if (properties[key]) expect(await ask({ [key]: "not-a-cursor" })).toMatchObject({ status: 400 });
		expect(await ask({ surprise: "1" })).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
	});
});

function answersOf(id: string) {
	return exchanges.filter(({ method, path }) => operationOf(method, path)?.id === id).map(({ answer }) => answer);
}

/** Path parameters as things are called in the scenario. */
const concrete = (path: string): string =>
	path
		.replace(/^(\/api\/v1\/\w+)\/\{\w+\}/, (_, start: string) => `${start}/${existing[start.split("/")[3] ?? ""] ?? "none"}`)
		.replace(/\{featureId\}|\{id\}/, "calls");

const existing: Readonly<Record<string, string>> = {
	customers: "acme",
	usage: "acme",
	plans: "pro",
	addons: "extra",
	products: "app",
	features: "calls",
	coupons: "OLD",
	subscriptions: "sub-1",
};

function textOf(key: string, schema: Schema): string {
	if (key === "state") return "DRAFT,ACTIVE,CANCELED,END_BILLING";
	if (key === "stateIn") return "OPEN,CANCELED,PAID";
	if (key === "endDate") return "2026-01-02T00:00:00.000Z";
	if (schema.format === "date-time" || key.startsWith("createdAt")) return "2026-01-01T00:00:00.000Z";
	return key === "limit" || schema.type === "number" ? "1" : "calls";
}

/** `createdAt` is an object in the contract, and `createdAt[gt]` and its kin on the wire (semantics 1.3). */
function queryKeys(query: Schema | null): string[] {
	return Object.entries(resolve(query ?? {}).properties ?? {}).flatMap(([key, schema]) => {
		const { properties } = resolve(schema);
		return properties ? Object.keys(properties).map((bound) => `${key}[${bound}]`) : [key];
	});
}

/** The fields of a body, those of all alternatives where there are several, with a mark on what is required. */
function topFields(schema: Schema): string[] {
	const { properties = {}, required = [], oneOf, anyOf } = resolve(schema);
	const alternatives = oneOf ?? anyOf;
	if (alternatives) return [...new Set(alternatives.flatMap(topFields))].sort();
	return Object.keys(properties)
		.map((key) => (required.includes(key) ? `${key}!` : key))
		.sort();
}

/** Values that only the texts' own patterns ask for; the rest follows from the contract. */
const hints = {
	email: "billing@acme.test",
	billingCountryCode: "US",
	cardLast4Digits: "4242",
	cancelUrl: "https://acme.test/cancel",
	successUrl: "https://acme.test/done",
};

function bodiesOf(schema: Schema): unknown[] {
	return (resolve(schema).oneOf ?? [schema]).map((one) => fullest(one, hints));
}

function everyPlace(schema: Schema, bodies: readonly unknown[]): Array<readonly [unknown, Place]> {
	return bodies.flatMap((body) => placesOf(schema, body).map((place) => [body, place] as const));
}

/** What our route checks a body with. Events are checked by the ingester, with a schema of their own. */
function schemaOf({ id, method, path }: Operation): TSchema {
	if (id === "events.report") return EventReport;
	const route = routes.find((one) => one.method === method && shapeOf(one.path) === shapeOf(path));
	const schema: unknown = route?.hooks.body;
	if (typeof schema !== "object" || schema === null || !(Kind in schema)) throw new Error(`No body schema: ${id}`);
	return schema as TSchema;
}

const refusals = (schema: TSchema, body: unknown): string[] =>
	[...Value.Errors(schema, body)].map(({ path, message }) => `${path}: ${message}`);

function wrongTypes({ type, properties, additionalProperties }: Schema): unknown[] {
	const isMap = !properties && additionalProperties;
	const samples: Readonly<Record<string, unknown>> = {
		string: "5",
		number: 5,
		boolean: true,
		array: isMap ? [1] : [],
		object: {},
	};
	const fitting = [type].flat();
	return Object.entries(samples).flatMap(([name, sample]) => (fitting.includes(name) ? [] : [sample]));
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
