import { describe, expect, test } from "bun:test";
import { exportCatalogue } from "../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../src/areas/catalog/rules.file";
import { world } from "../../support/world";
import { apply, catalogueNames, fileText, versionNumbers } from "./files";

describe.each([...catalogueNames])("the catalogue file %s", (name) => {
	const text = fileText(name);
	const ours = world();

	test("applies to an empty environment and exports back identically, byte for byte", () => {
		const { changes, kept } = apply(ours, text);
		expect(changes.length).toBeGreaterThan(4);
		expect(changes.every(({ action }) => action === "add")).toBe(true);
		expect(kept).toEqual([]);
		expect(writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml")).toBe(text);
	});

	test("applied again it changes nothing: no difference, no new version", () => {
		const before = versionNumbers(ours);
		expect(apply(ours, text)).toEqual({ changes: [], kept: [], taskIds: [] });
		expect(versionNumbers(ours)).toEqual(before);
		expect(before.every((version) => version.endsWith(" 1"))).toBe(true);
	});

	test("says the same as JSON", () => {
		const json = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "json");
		const { changes } = apply(ours, json);
		expect(changes).toEqual([]);
	});

	test("stays in its own environment", () => {
		expect(ours.transactions.read(ours.foreignActor, exportCatalogue)).toEqual({ version: 1 });
	});
});
