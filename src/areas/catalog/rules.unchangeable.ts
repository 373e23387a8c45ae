import { fail } from "../../kernel/errors";
import type { Change } from "./rules.diff";
import type { CatalogueList } from "./schema";

/** The name of one entry of each list. */
export const entryName: Readonly<Record<CatalogueList, string>> = {
	products: "product",
	currencies: "currency",
	taxes: "tax",
	features: "feature",
	featureGroups: "feature group",
	addons: "addon",
	plans: "plan",
	coupons: "coupon",
};

interface Fixed {
	readonly keys: readonly string[];
	/** "removal": the value can be replaced, but not removed. */
	readonly against: "any change" | "removal";
	readonly remedy: string;
}

const newId = "it is fixed for good; give a new one another id, and prune this one";

/** Keys that no operation of the interface can change (docs/interface/catalogue.md). */
const fixed: Partial<Record<CatalogueList, readonly Fixed[]>> = {
	features: [
		{ keys: ["featureType", "meterType"], against: "any change", remedy: newId },
		{
			keys: ["featureUnits", "featureUnitsPlural", "meter"],
			against: "removal",
			remedy: "it can be replaced, not removed",
		},
	],
	addons: [{ keys: ["productId"], against: "any change", remedy: newId }],
	plans: [{ keys: ["productId"], against: "any change", remedy: newId }],
	coupons: [
		{
			keys: [
				"percentOff",
				"amountsOff",
				"durationInMonths",
				"appliesTo",
				"frequency",
				"durationInPeriods",
				"freeUnits",
			],
			against: "any change",
			remedy: newId,
		},
	],
	taxes: [{ keys: ["percentage", "isInclusive", "country", "code"], against: "any change", remedy: newId }],
	currencies: [{ keys: ["units"], against: "removal", remedy: "they can be replaced, not removed" }],
};

/** Throws BadUserInput if no operation can make the change. Runs before any change. */
export function assertPossible({ list, id, fields }: Change): void {
	for (const { keys, against, remedy } of fixed[list] ?? [])
		for (const { path, after } of fields) {
			const [key = ""] = path.split(/[.[]/);
			// The path of a removed part inside the value would be longer.
			const refused = keys.includes(key) && (against === "any change" || (path === key && after === undefined));
			if (refused)
				throw fail("BadUserInput", `The ${entryName[list]} '${id}' has another '${key}' in the file; ${remedy}.`);
		}
}
