import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { statusByCode } from "../../../src/kernel/error-codes";

const root = join(import.meta.dir, "../../..");
const textsOf = async (pattern: string): Promise<string> => {
	const paths = [...new Bun.Glob(pattern).scanSync(root)].filter((path) => !path.endsWith("codes.test.ts"));
	return (await Promise.all(paths.map((path) => Bun.file(join(root, path)).text()))).join("\n");
};
const source = await textsOf("src/{areas,clocks,graphql,http}/**/*.ts");
const thrown = new Set([...source.matchAll(/"([A-Z]\w+)"/g)].map(([, code]) => code));
const tests = await textsOf("tests/**/*.test.ts");
const readme = await Bun.file(join(root, "src/areas/subscriptions/README.md")).text();

/** The codes of the Errors section that belong to customers and subscriptions and have a trigger. */
const triggered = [
	...["AddonDependencyMissingError", "AddonNotFound", "AddonQuantityExceedsLimitError", "AmountTooLarge"],
	...[
		"ArchivedCouponCantBeApplied",
		"BadUserInput",
		"BillingIntegrationMissing",
		"BillingInvoiceStatusError",
		"BillingPeriodMissingError",
	],
	...[
		"CannotDeleteCustomerError",
		"CheckoutIsNotSupported",
		"UnsupportedParameter",
		"CannotRemovePaymentMethodFromCustomerError",
		"CouponNotFound",
	],
	...["CustomerAlreadyUsesCouponError", "CustomerNotFound", "DowngradeBillingPeriodNotSupportedError"],
	...["DuplicateAddonProvisionedError", "DuplicateIntegrationNotAllowed", "DuplicatedEntityNotAllowed"],
	...["EntityIdDifferentFromRefIdError", "EntityIsArchivedError", "FutureUpdateNotFound"],
	...["IncompatibleSubscriptionAddon", "IntegrationNotFound", "InvalidArgumentError", "InvalidCancellationDate"],
	...["InvalidQuantity", "InvalidSubscriptionStatus", "InvoiceNotFound", "MissingBillingInvoiceError"],
	...["ObjectAlreadyBeingUsedByAnotherRequestError", "PaymentMethodNotFoundError", "PlanNotFound", "PriceNotFound"],
	...["PromotionCodeNotFound", "PromotionalEntitlementNotFoundError", "ScheduledMigrationAlreadyExistsError"],
	...["SchedulingAtEndOfBillingPeriod", "SubscriptionAlreadyCanceledOrExpired", "SubscriptionAlreadyOnLatestPlan"],
	...["SubscriptionDoesNotHaveBillingPeriod", "SubscriptionNotFound", "TooManySubscriptionsPerCustomer"],
	...["TrialMustBeCancelledImmediately", "UnPublishedPackage", "UnsupportedVendorIdentifier"],
];

/** As the README lists them, after its heading, but for what it says is answered instead. */
const untriggered = [...(readme.split("## Codes of customers and subscriptions")[1] ?? "").matchAll(/`([A-Z]\w+)`/g)]
	.map(([, code = ""]) => code)
	.filter((code) => code !== "PromotionCodeNotFound");

describe("the codes of customers and subscriptions", () => {
	test.each(triggered)("%s has a trigger and a test", (code) => {
		expect({ isCode: code in statusByCode, thrown: thrown.has(code), tested: tests.includes(`"${code}"`) }).toEqual({
			isCode: true,
			thrown: true,
			tested: true,
		});
	});

	test("those that nothing triggers are listed, and nothing triggers them", () => {
		expect(untriggered.length).toBeGreaterThan(30);
		for (const code of untriggered)
			expect({ code, isCode: code in statusByCode, thrown: thrown.has(code) }).toEqual({
				code,
				isCode: true,
				thrown: false,
			});
	});
});
