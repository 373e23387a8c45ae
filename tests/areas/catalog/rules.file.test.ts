import { describe, expect, test } from "bun:test";
import { assertCatalogue } from "../../../src/areas/catalog/rules.check";
import { formatOf, readCatalogue } from "../../../src/areas/catalog/rules.file";
import { fileBytesMax } from "../../../src/areas/catalog/schema";
import { DomainError } from "../../../src/kernel/errors";

/** Returns the message with which reading and checking a file refuses it. */
function refusal(text: string): string {
	try {
		const file = readCatalogue(text);
		assertCatalogue(file.catalogue, file.at);
	} catch (error) {
		if (error instanceof DomainError) return `${error.code} ${error.message}`;
		throw error;
	}
	throw new Error("nothing was refused");
}

const plan = (charges: string, more = ""): string =>
	`version: 1\nplans:\n  - id: pro\n    productId: app\n    displayName: Pro\n    charges: ${charges}\n${more}`;

describe("a file that cannot be read names the place", () => {
	const cases: ReadonlyArray<readonly [what: string, text: string, says: string]> = [
		["no YAML", "version: 1\nplans: [\n", "BadUserInput line 3, column 1: "],
		["a key twice", "version: 1\nversion: 1\n", "BadUserInput line 2, column 1: Map keys must be unique"],
		["two documents", "version: 1\n---\nversion: 1\n", "BadUserInput line 2, column 1: "],
		["nothing", "", "BadUserInput the document: expected object"],
		["no version", "plans: []\n", "BadUserInput version (line 1): is missing"],
		["a version of tomorrow", "version: 2\n", "BadUserInput version (line 1): expected 1"],
		["an unknown list", "version: 1\nprices: []\n", "BadUserInput prices (line 2): there is no such key here"],
		[
			"an unknown key",
			plan("{ pricingType: FREE, price: 5 }"),
			"BadUserInput plans[0].charges.price (line 6): there is no such key here",
		],
		[
			"a wrong word",
			plan("{ pricingType: free }"),
			"BadUserInput plans[0].charges.pricingType (line 6): must be one of FREE, PAID, CUSTOM",
		],
		[
			"no charges",
			"version: 1\nplans:\n  - id: pro\n    productId: app\n    displayName: Pro\n",
			"BadUserInput plans[0].charges (line 3): is missing",
		],
		[
			"a number for a text",
			"version: 1\ncoupons:\n  - id: x\n    name: 10\n    percentOff: 5\n",
			"BadUserInput coupons[0].name (line 4): expected string; put it in quotes",
		],
		[
			"a wrong entitlement",
			plan(
				"{ pricingType: FREE }",
				"    entitlements:\n      - { type: FEATURE, id: sso }\n      - { type: CREDIT, id: gold, cadence: WEEK, amount: 1 }\n",
			),
			"BadUserInput plans[0].entitlements[1].cadence (line 9): must be one of MONTH, YEAR",
		],
		[
			"an id twice",
			"version: 1\nproducts: [{ id: a, displayName: A }, { id: a, displayName: B }]\n",
			"DuplicatedEntityNotAllowed products[1].id (line 2): 'a' is there already, at products[0].id (line 2).",
		],
		[
			"an entitlement twice",
			plan(
				"{ pricingType: FREE }",
				"    entitlements:\n      - { type: FEATURE, id: sso }\n      - { type: FEATURE, id: sso }\n",
			),
			"DuplicatedEntityNotAllowed plans[0].entitlements[1] (line 9): 'sso' is there already, at plans[0].entitlements[0] (line 8).",
		],
		[
			"prices of a free plan",
			plan("{ pricingType: FREE, minimumSpend: [{ billingPeriod: MONTHLY, minimum: { amount: 5 } }] }"),
			"BadUserInput plans[0] (line 3): charges: a FREE package has no prices",
		],
		[
			"a meter without its field",
			"version: 1\nfeatures:\n  - { id: a, displayName: A, featureType: NUMBER, meterType: INCREMENTAL, meter: { aggregation: { function: SUM }, filters: [] } }\n",
			"BadUserInput features[0] (line 3): meter.aggregation: SUM needs 'field'",
		],
		[
			"a coupon of two kinds",
			"version: 1\ncoupons: [{ id: x, name: X }]\n",
			"BadUserInput coupons[0] (line 2): Give exactly one of 'percentOff' and 'amountsOff'",
		],
		[
			"overage on an addon",
			plan(
				"{ pricingType: CUSTOM, overagePricingModels: [{ billingModel: USAGE_BASED, featureId: f, pricePeriods: [{ billingPeriod: MONTHLY, price: { amount: 1 } }] }] }",
			).replace("plans:", "addons:"),
			"OveragePriceNotSupportedOnAddon addons[0] (line 3): ",
		],
	];
	test.each(cases)("%s", (_, text, says) => {
		expect(refusal(text)).toStartWith(says);
	});

	test("many faults are reported at once, and no more than twenty", () => {
		const coupons = Array.from({ length: 30 }, (_, at) => `  - { id: c${at} }`).join("\n");
		const lines = refusal(`version: 1\ncoupons:\n${coupons}\n`).split("\n");
		expect(lines).toHaveLength(20);
		expect(lines[19]).toBe("coupons[19].name (line 22): is missing");
	});

	test("a file without bounds", () => {
		expect(refusal(`version: 1\n#${"x".repeat(fileBytesMax)}`)).toStartWith(
			"BadUserInput The file is larger than 8388608 bytes",
		);
		expect(refusal("[".repeat(100_000))).toStartWith("BadUserInput ");
		expect(refusal(`version: 1\nplans: ${"[".repeat(50_000)}${"]".repeat(50_000)}`)).toStartWith("BadUserInput ");
		const bomb = Array.from(
			{ length: 12 },
			(_, at) => `a${at}: &a${at} [${Array(9).fill(at === 0 ? "x" : `*a${at - 1}`)}]`,
		);
		expect(refusal(bomb.join("\n"))).toStartWith("BadUserInput ");
	});
});

test("anchors and merge keys are read, JSON is YAML", () => {
	const yaml = "version: 1\nproducts: [&a { id: a, displayName: A, description: D }, { <<: *a, id: b }]\n";
	expect(readCatalogue(yaml).catalogue.products?.[1]).toEqual({ id: "b", displayName: "A", description: "D" });
	expect(readCatalogue('{ "version": 1,\n\t"coupons": [] }').catalogue).toEqual({ version: 1, coupons: [] });
	expect(["a.yaml", "a.yml", "-", "", "a.JSON"].map(formatOf)).toEqual(["yaml", "yaml", "yaml", "yaml", "json"]);
});
