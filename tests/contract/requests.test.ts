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
	operations,
	type Place,
	placesOf,
	queryKeys,
	resolve,
	type Schema,
	settled,
	shapeOf,
} from "./contract";
import { notBuilt } from "./not-built";
import { play } from "./scenario";

const { here } = await play();
const { call, services } = here;
const { routes } = createApp(services);

const built = operations.filter(({ id }) => !notBuilt.includes(id));
const named = (list: readonly Operation[]) => list.map((one) => [one.id, one] as const);
const taking = built.filter(({ body }) => body !== null);

describe("request bodies", () => {
	describe.each(named(taking))("%s", (_, taken) => {
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

describe("query parameters", () => {
	test.each(named(built.filter(({ query }) => query)))("%s: takes each, refuses values outside", async (_, taken) => {
		const { properties = {}, required = [] } = resolve(taken.query ?? {});
		const ask = async (parameters: Record<string, string>) => {
			const wanted = Object.fromEntries(required.map((key) => [key, textOf(key, properties[key] ?? {})]));
			// A check is about a feature or a currency: one of the two, though the contract's types require neither.
			const about =
				"currencyId" in properties && "featureId" in properties && !parameters.currencyId ? { featureId: "calls" } : {};
			const search = new URLSearchParams({ ...wanted, ...about, ...parameters });
			return call(taken.method, `${concrete(taken.path)}?${search}`);
		};
		for (const key of queryKeys(taken.query)) {
			if (key === "after" || key === "before") continue;
			// An object in the query has a parameter for each of its keys.
			if (key === "dimensions") {
				expect(await ask({ dimensions: "red" })).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
				expect((await ask({ "dimensions[team]": "red" })).status).toBe(200);
				continue;
			}
			const schema = resolve(properties[key] ?? {});
			const choices = resolve(schema.items ?? schema).enum as string[] | undefined;
			const values = choices ? [...choices, ...(schema.items ? [choices.join(",")] : [])] : [textOf(key, schema)];
			for (const value of values) expect([key, (await ask({ [key]: value })).status]).toEqual([key, 200]);
			const wrong =
				choices || key.startsWith("state")
					? "NO_SUCH_VALUE"
					: key.startsWith("createdAt") || schema.format
						? "yesterday"
						: null;
			if (wrong !== null)
				expect(await ask({ [key]: wrong })).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
		}
		for (const limit of ["0", "101", "1.5", "ten", ""])
			if (properties.limit) expect(await ask({ limit })).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
		for (const key of ["after", "before"])
			if (properties[key]) expect(await ask({ [key]: "not-a-cursor" })).toMatchObject({ status: 400 });
		expect(await ask({ surprise: "1" })).toMatchObject({ status: 400, body: { code: "BadUserInput" } });
	});
});

/** Path parameters as things are called in the scenario. */
const concrete = (path: string): string =>
	path
		.replace(
			/^(\/api\/v1(?:-beta)?\/\w+)\/\{\w+\}/,
			(_, start: string) => `${start}/${existing[start.split("/")[3] ?? ""] ?? "none"}`,
		)
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
	if (key === "eventType") return "CREDITS_GRANTED,CREDITS_CONSUMED";
	if (key === "stateIn") return "OPEN,CANCELED,PAID";
	if (key === "endDate") return "2026-01-02T00:00:00.000Z";
	if (key === "customerId") return "acme";
	if (key === "currencyId") return "gold";
	if (schema.format === "date-time" || key.startsWith("createdAt")) return "2026-01-01T00:00:00.000Z";
	return key === "limit" || schema.type === "number" ? "1" : "calls";
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

/** The schemas with which our routes check bodies. Events are checked by the ingester, with a schema of their own. */
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
		// Numbers of money are accepted in quotes, so the text is no number.
		string: "five",
		number: 5,
		boolean: true,
		array: isMap ? [1] : [],
		object: {},
	};
	const fitting = [type].flat();
	return Object.entries(samples).flatMap(([name, sample]) => (fitting.includes(name) ? [] : [sample]));
}
