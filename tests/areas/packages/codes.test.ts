import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { couponTransitions } from "../../../src/areas/coupons/rules";
import { currencyTransitions } from "../../../src/areas/currencies/rules";
import { featureTransitions } from "../../../src/areas/features/rules";
import { transitions } from "../../../src/areas/packages/rules";
import { productTransitions } from "../../../src/areas/products/rules";
import { statusByCode } from "../../../src/kernel/error-codes";

const root = join(import.meta.dir, "../../..");
const textsOf = async (pattern: string): Promise<string> => {
	const paths = [...new Bun.Glob(pattern).scanSync(root)].filter((path) => !path.includes("packages/codes.test"));
	return (await Promise.all(paths.map((path) => Bun.file(join(root, path)).text()))).join("\n");
};
const source = await textsOf("src/areas/**/*.ts");
const tests = await textsOf("tests/areas/**/*.test.ts");
const readme = await Bun.file(join(root, "src/areas/packages/README.md")).text();
const says = (text: string, code: string): boolean => new RegExp(`"${code}"`).test(text);

/** The codes of the Errors section that belong to the catalogue and have a trigger. */
const triggered = [
	...["AddonHasToHavePriceError", "AddonIsCompatibleWithPlan", "AddonNotFound", "AddonWithDraftCannotBeDeletedError"],
	...["AddonsNotFound", "AmountTooLarge", "ArchivedCouponCantBeApplied", "CannotAddOverrideEntitlementToPlan"],
	...["CannotArchiveFeatureError", "CannotArchiveProductError", "CannotEditPackageInNonDraftMode"],
	...["CannotUnarchiveProductError", "CannotUpdateMeterOfFeatureInUse", "CannotUpdateUnitTransformationError"],
	...["CouponNotFound", "CreditOveragePriceCurrencyNotFound", "CustomCurrencyNotFound", "DraftAddonCantBeArchived"],
	...["DraftAlreadyExists", "DraftPlanCantBeArchived", "DuplicateProductValidationError"],
	...["DuplicatedEntityNotAllowed", "EditAllowedOnDraftPackageOnlyError", "EntityIsArchivedError"],
	...["FeatureConfigurationExceededLimitError", "FeatureNotFound", "IntegrityViolation", "InvalidArgumentError"],
	...["InvalidCreditOverageBillingModel", "InvalidEntitlementResetPeriod", "MeterMustBeAssociatedToMeteredFeature"],
	...["MeteringNotAvailableForFeatureType", "OveragePriceNotSupportedOnAddon", "OveragePriceRequiresUsageLimit"],
	...["PackageAlreadyPublished", "PackagePricingTypeNotSet", "PlanCannotBePublishWhenBasePlanIsDraft"],
	...["PlanCannotBePublishWhenCompatibleAddonIsDraft", "PlanIsUsedAsDefaultStartPlan", "PlanIsUsedAsDowngradePlan"],
	...["PlanNotFound", "PlanWithChildCantBeDeleted", "PlansCircularDependencyError", "ProductNotFoundError"],
	...["TooManyCustomCurrencies", "UnPublishedPackage", "UnsupportedFeatureType", "VersionExceedsMaxValueError"],
];

/** What the tables of transitions refuse is tested by walking them. */
const walked = [transitions, productTransitions, featureTransitions, currencyTransitions, couponTransitions]
	.flatMap((table) => Object.values<Readonly<Record<string, unknown>>>(table))
	.flatMap((actions) => Object.values(actions))
	.flatMap((next) => JSON.stringify(next).match(/(?<=")[A-Z]\w+(?=")/g) ?? []);

/** As the README lists them, after its heading. */
const untriggered = [...(readme.split("## Codes of the catalogue")[1] ?? "").matchAll(/`([A-Z]\w+)`/g)].map(
	([, code = ""]) => code,
);

describe("the codes of the catalogue", () => {
	test.each(triggered)("%s has a trigger and a test", (code) => {
		expect({ code, isCode: code in statusByCode, thrown: says(source, code) }).toEqual({
			code,
			isCode: true,
			thrown: true,
		});
		expect(says(tests, code) || walked.includes(code)).toBe(true);
	});

	test("those that nothing triggers are listed, and nothing triggers them", () => {
		expect(untriggered.length).toBeGreaterThan(20);
		for (const code of untriggered)
			expect({ code, isCode: code in statusByCode, thrown: says(source, code) }).toEqual({
				code,
				isCode: true,
				thrown: false,
			});
	});
});
