import { expect, test } from "bun:test";
import { buildSchema, executeSync, getIntrospectionQuery, parse, validateSchema } from "graphql";
import { buildAreas, definitionsOfAreas } from "../../src/graphql/build";
import { areas } from "../../src/graphql/schema";
import { world } from "../support/world";
import { ask } from "./ask";

test("what the areas define is, together, a valid schema: a server that loads it does not ask", () => {
	expect(validateSchema(buildSchema(definitionsOfAreas(areas)))).toEqual([]);
});

/** How often others could have had a turn before it was done. */
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

test("the schema is built in parts, between which others are served", async () => {
	expect(await turnsOf(() => buildAreas(areas))).toBeGreaterThanOrEqual(4);
});

test("the whole schema is told in parts, between which others are served, and is the same", async () => {
	const ours = world();
	const query = getIntrospectionQuery();
	const types = '{ __type(name: "Product") { name } }';
	await ask(ours, types);
	const few = await turnsOf(() => ask(ours, types));
	let told: unknown;
	const turns = await turnsOf(async () => {
		told = await ask(ours, query);
	});
	expect(turns).toBeGreaterThan(few + 10);
	const { shown } = await buildAreas(areas);
	expect(told).toEqual(JSON.parse(JSON.stringify(executeSync({ schema: shown, document: parse(query) }))));
});

test("what asks for objects as well is answered whole", async () => {
	const { data } = await ask(world(), "{ __schema { types { name } } products { totalCount } }");
	expect(data.products).toEqual({ totalCount: 0 });
	expect(data.__schema.types.length).toBeGreaterThan(100);
});
