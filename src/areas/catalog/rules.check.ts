import { DomainError, fail } from "../../kernel/errors";
import { assertOneDiscount, assertTerms } from "../coupons/rules";
import {
	assertEnumFits,
	assertMeterTypeFits,
	billedUsageOf,
	meterOf,
	unitTransformationOf,
	weighedByMeter,
} from "../features/rules";
import { assertCharges } from "../packages/charges/rules";
import {
	type Catalogue,
	type CatalogueAddon,
	type CatalogueFeature,
	type CataloguePlan,
	catalogueLists,
} from "./schema";

/** Returns the name of a place in the file, for messages. */
export type At = (place: readonly (string | number)[]) => string;

/** Runs `body`, and adds the place in the file to its errors. */
export function within<T>(place: string, body: () => T): T {
	try {
		return body();
	} catch (error) {
		if (error instanceof DomainError) throw new DomainError(error.code, `${place}: ${error.message}`, error.reason);
		throw error;
	}
}

/** Checks everything in a catalogue that needs no lookup. Throws the errors of the areas, with the place. */
export function assertCatalogue(catalogue: Catalogue, at: At): void {
	for (const list of catalogueLists) assertEachIdOnce(catalogue[list] ?? [], (index) => at([list, index, "id"]));
	catalogue.features?.forEach((entry, index) => {
		within(at(["features", index]), () => assertFeature(entry));
	});
	catalogue.addons?.forEach((entry, index) => {
		assertSold("ADDON", entry, (...more) => at(["addons", index, ...more]));
	});
	catalogue.plans?.forEach((entry, index) => {
		assertSold("PLAN", entry, (...more) => at(["plans", index, ...more]));
	});
	catalogue.coupons?.forEach((entry, index) => {
		const { percentOff = null, amountsOff = null, freeUnits } = entry;
		within(at(["coupons", index]), () => {
			assertOneDiscount({ percentOff, amountsOff, ...(freeUnits && { freeUnits }) });
			assertTerms(entry);
		});
	});
}

function assertEachIdOnce(entries: readonly { readonly id: string }[], at: (index: number) => string): void {
	const firstByKey = new Map<string, number>();
	entries.forEach((entry, index) => {
		// A feature and a currency with the same id can both have entitlements.
		const key = "type" in entry ? `${entry.type} ${entry.id}` : entry.id;
		const first = firstByKey.get(key);
		if (first !== undefined)
			throw fail("DuplicatedEntityNotAllowed", `${at(index)}: '${entry.id}' is there already, at ${at(first)}.`);
		firstByKey.set(key, index);
	});
}

function assertFeature(entry: CatalogueFeature): void {
	const kind = { refId: entry.id, featureType: entry.featureType, meterType: entry.meterType ?? "None" };
	assertMeterTypeFits(kind);
	assertEnumFits(entry.id, entry.featureType, entry.enumConfiguration);
	unitTransformationOf(kind, entry.unitTransformation ?? null);
	if (entry.meter) meterOf(kind, entry.meter);
	if (entry.billedUsage && billedUsageOf(kind, entry.billedUsage) !== null && entry.meter)
		throw weighedByMeter(entry.id);
}

function assertSold(
	kind: "PLAN" | "ADDON",
	entry: CataloguePlan | CatalogueAddon,
	at: (...more: (string | number)[]) => string,
): void {
	within(at(), () => assertCharges(kind, entry.charges));
	assertEachIdOnce(entry.entitlements ?? [], (index) => at("entitlements", index));
}
