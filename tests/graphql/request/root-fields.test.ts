import { expect, test } from "bun:test";
import { fieldsNotBuilt, fieldsOfClients } from "../../contract/graphql-fields";
import { world } from "../../support/world";
import { shownTypes } from "../mutate";

for (const [root, asked] of Object.entries(fieldsOfClients))
	test(`${root} has every field that the known clients ask for, but for those whose area is not there yet`, async () => {
		const types = await shownTypes(world());
		const there = new Set(types.get(root)?.fields?.map(({ name }) => name));
		expect(asked.filter((name) => !there.has(name)).sort()).toEqual(
			fieldsNotBuilt.filter((name) => asked.includes(name)).sort(),
		);
	});
