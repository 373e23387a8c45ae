import { expect, test } from "bun:test";
import { buildSchema, validateSchema } from "graphql";
import { definitionsOfAreas } from "../../src/graphql/build";
import { areas } from "../../src/graphql/schema";

test("what the areas define is, together, a valid schema: a server that loads it does not ask", () => {
	expect(validateSchema(buildSchema(definitionsOfAreas(areas)))).toEqual([]);
});
