import { expect, test } from "bun:test";
import Ajv from "ajv";
import { parse } from "yaml";
import published from "../../../docs/catalogue.schema.json";
import { catalogueJsonSchema } from "../../../src/areas/catalog/schema";
import { catalogueNames, fileText } from "./files";

test("docs/catalogue.schema.json is current; `tollgate catalog schema` prints a new one", () => {
	expect<unknown>(published).toEqual(catalogueJsonSchema());
});

test("any JSON Schema validator takes the catalogue files, and refuses what is no catalogue", () => {
	const validate = new Ajv({ strict: false }).compile(published);
	for (const name of catalogueNames) expect(validate(parse(fileText(name))) || validate.errors).toBe(true);
	expect(validate({})).toBe(false);
	expect(validate({ version: 2 })).toBe(false);
	expect(validate({ version: 1, plans: [{ id: "pro", productId: "app", displayName: "Pro" }] })).toBe(false);
	expect(
		validate({ version: 1, coupons: [{ id: "x", name: "X", amountsOff: [{ amount: 1, currency: "USD" }] }] }),
	).toBe(false);
});
