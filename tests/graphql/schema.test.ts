import { expect, test } from "bun:test";
import { buildSchema, executeSync, getIntrospectionQuery, parse, printSchema, validateSchema } from "graphql";
import { buildAreas, definitionsOfAreas } from "../../src/graphql/build";
import { areas } from "../../src/graphql/schema";
import { world } from "../support/world";
import { ask } from "./ask";

/** The wire of GraphQL. A change of the file is a change for clients. */
const recorded = Bun.file(`${import.meta.dir}/../contract/schema.graphql`);

test("the schema is the recorded one, except for descriptions", async () => {
	const { schema } = await buildAreas(areas);
	expect(printSchema(schema).replace(/^\s*"""[\s\S]*?"""\n/gm, "")).toBe(await recorded.text());
});

test("the definitions of the areas are a valid schema: the server does not validate them", () => {
	expect(validateSchema(buildSchema(definitionsOfAreas(areas)))).toEqual([]);
});

/** Counts the turns of the event loop until the work is done. */
async function turnsOf(work: () => Promise<unknown>): Promise<number> {
	let turns = 0;
	let isDone = false;
	const count = (): void => {
		turns += 1;
		if (!isDone) setImmediate(count);
	};
	setImmediate(count);
	await work();
	isDone = true;
	return turns;
}

test("the schema is built in parts, between which other requests are served", async () => {
	expect(await turnsOf(() => buildAreas(areas))).toBeGreaterThanOrEqual(4);
});

test("introspection is executed in parts, between which other requests are served, with the same result", async () => {
	const ours = world();
	const query = getIntrospectionQuery();
	const types = '{ __type(name: "Product") { name } }';
	await ask(ours, types);
	const few = await turnsOf(() => ask(ours, types));
	let listed: unknown;
	const turns = await turnsOf(async () => {
		listed = await ask(ours, query);
	});
	expect(turns).toBeGreaterThan(few + 10);
	const { schema } = await buildAreas(areas);
	expect(listed).toEqual(JSON.parse(JSON.stringify(executeSync({ schema, document: parse(query) }))));
});

test("an operation with introspection and objects returns both", async () => {
	const { data } = await ask(world(), "{ __schema { types { name } } products { totalCount } }");
	expect(data.products).toEqual({ totalCount: 0 });
	expect(data.__schema.types.length).toBeGreaterThan(100);
});
