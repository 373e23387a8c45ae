import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { parse } from "yaml";
import { exportCatalogue } from "../../../src/areas/catalog/operations.export";
import { canonical } from "../../../src/areas/catalog/rules.canonical";
import { diff } from "../../../src/areas/catalog/rules.diff";
import { readCatalogue, writeCatalogue } from "../../../src/areas/catalog/rules.file";
import { neededFirst } from "../../../src/areas/catalog/rules.order";
import { viewDifference } from "../../../src/areas/catalog/rules.summary";
import type { Catalogue } from "../../../src/areas/catalog/schema";
import { slowRuns } from "../../support/runs";
import { world } from "../../support/world";
import { catalogues, turned } from "./arbitrary";
import { apply, versionNumbers } from "./files";

const none = { changes: [], kept: [] };
const json = (catalogue: unknown): string => JSON.stringify(catalogue);

describe("the canonical form", () => {
	test("is one for all ways of writing the same, and its own", () => {
		fc.assert(
			fc.property(catalogues, (catalogue) => {
				const form = json(canonical(catalogue));
				expect(json(canonical(turned(catalogue)))).toBe(form);
				expect(json(canonical(JSON.parse(form)))).toBe(form);
			}),
			slowRuns(40),
		);
	});

	test("as YAML and as JSON reads back as it was, by us and by others", () => {
		fc.assert(
			fc.property(catalogues, (catalogue) => {
				const form = canonical(catalogue);
				const yaml = writeCatalogue(form, "yaml");
				expect(json(readCatalogue(yaml).catalogue)).toBe(json(form));
				expect(json(parse(yaml))).toBe(json(form));
				expect(json(Bun.YAML.parse(yaml))).toBe(json(form));
				expect(json(readCatalogue(writeCatalogue(form, "json")).catalogue)).toBe(json(form));
			}),
			{ numRuns: 20 },
		);
	});
});

describe("a difference", () => {
	test("between a catalogue and itself is empty, and says so", () => {
		fc.assert(
			fc.property(catalogues, fc.boolean(), (catalogue, prune) => {
				const found = diff(canonical(catalogue), canonical(turned(catalogue)), { prune });
				expect(found).toEqual(none);
				expect(viewDifference({ ...found, taskIds: [] }, false)).toBe("no changes");
			}),
			slowRuns(40),
		);
	});

	test("between two catalogues names every entry that differs and no other, in both directions", () => {
		fc.assert(
			fc.property(catalogues, catalogues, (one, other) => {
				const [before, after] = [canonical(one), canonical(other)];
				const differing = (["products", "currencies", "features", "addons", "plans", "coupons"] as const).flatMap(
					(list) =>
						(before[list] ?? []).flatMap((entry, at) =>
							json(entry) === json(after[list]?.[at]) ? [] : [`${list} ${entry.id}`],
						),
				);
				const found = (from: typeof before, to: typeof before) =>
					diff(from, to, { prune: true }).changes.map(({ list, id, fields }) => {
						expect(fields.length).toBeGreaterThan(0);
						return `${list} ${id}`;
					});
				expect(found(before, after)).toEqual(differing);
				expect(found(after, before)).toEqual(differing);
			}),
			slowRuns(40),
		);
	});
});

describe("applying", () => {
	test("any edit of any catalogue makes the export equal to the edited file, once and for all", () => {
		fc.assert(
			fc.property(catalogues, catalogues, fc.subarray(["percent", "fixed", "p2"]), (first, second, gone) => {
				const ours = world();
				const edited: Catalogue = {
					...second,
					plans: (second.plans ?? []).filter(({ id }) => !gone.includes(id)),
					coupons: (second.coupons ?? []).filter(({ id }) => !gone.includes(id)),
				};
				apply(ours, json(first));
				const applied = apply(ours, json(turned(edited)), { prune: true });
				expect(applied.changes.filter(({ action }) => action === "archive")).toHaveLength(gone.length);
				const text = writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
				expect(text).toBe(writeCatalogue(canonical(edited), "yaml"));
				const versions = versionNumbers(ours);
				const changed = new Set(
					applied.changes.map(({ list, id }) => `${list === "plans" ? "PLAN" : "ADDON"} ${id} 2`),
				);
				expect(versions.filter((version) => version.endsWith(" 2")).every((version) => changed.has(version))).toBe(
					true,
				);
				expect(apply(ours, text)).toEqual({ ...none, taskIds: [] });
				expect(versionNumbers(ours)).toEqual(versions);
				ours.db.$client.close();
			}),
			{ numRuns: 10 },
		);
	}, 30_000);
});

test("dependencies come first; circles end", () => {
	fc.assert(
		fc.property(fc.array(fc.array(fc.nat(9), { maxLength: 3 }), { maxLength: 10 }), (needs) => {
			const entries = needs.map((refs, at) => ({ id: `${at}`, refs: refs.map(String) }));
			const ordered = neededFirst(entries, ({ refs }) => refs);
			expect(ordered.map(({ id }) => id).sort()).toEqual(entries.map(({ id }) => id).sort());
			const downward = entries.map((entry) => ({
				...entry,
				refs: entry.refs.filter((ref) => Number(ref) < Number(entry.id)),
			}));
			const places = new Map(neededFirst(downward.toReversed(), ({ refs }) => refs).map(({ id }, at) => [id, at]));
			for (const { id, refs } of downward)
				for (const ref of refs) expect(places.get(ref) ?? -1).toBeLessThan(places.get(id) ?? 0);
		}),
	);
});
