import { describe, expect, test } from "bun:test";
import { createApp } from "../../src/app";
import { world } from "../support/world";
import { type Operation, operations, queryKeys, resolve, type Schema, shapeOf } from "./contract";
import { notBuilt } from "./not-built";

const document = await createApp(world().services)
	.handle(new Request("http://localhost/openapi.json"))
	.then((response) => response.json() as Promise<{ paths: Record<string, Record<string, Documented>> }>);

interface Documented {
	readonly parameters?: ReadonlyArray<{ readonly in: string; readonly name: string }>;
	readonly requestBody?: { readonly content: Record<string, { readonly schema: Schema }> };
}

const built = operations.filter(({ id }) => !notBuilt.includes(id));
const named = (list: readonly Operation[]) => list.map((one) => [one.id, one] as const);

/** Fields that we take beyond the contract: a contract's own id makes its creation safe to repeat (semantics-extra 5). */
const beyond: Readonly<Record<string, readonly string[]>> = { "contracts.create": ["contractId"] };

/** Query parameters that we add: one version by its number, and a publication that is only tried. */
const beyondQuery: Readonly<Record<string, readonly string[]>> = {
	...Object.fromEntries(
		["plans.retrieve", "plans.listCharges", "plans.listOverageCharges", "plans.entitlements.list"]
			.flatMap((id) => [id, id.replace("plans", "addons")])
			.map((id) => [id, ["version"]]),
	),
	"plans.publish": ["dryRun"],
	"addons.publish": ["dryRun"],
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
		expect(topFields(shape)).toEqual([...topFields(body), ...(beyond[id] ?? [])].sort());
	});
});

/** The fields of a body, those of all alternatives where there are several, with a mark on what is required. */
function topFields(schema: Schema): string[] {
	const { properties = {}, required = [], oneOf, anyOf } = resolve(schema);
	const alternatives = oneOf ?? anyOf;
	if (alternatives) return [...new Set(alternatives.flatMap(topFields))].sort();
	return Object.keys(properties)
		.map((key) => (required.includes(key) ? `${key}!` : key))
		.sort();
}
