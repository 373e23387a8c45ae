import { createAddon, updateAddon } from "../areas/addons/operations";
import { archiveUnusedFeature } from "../areas/catalog/operations.features";
import { archiveWholeProduct } from "../areas/catalog/operations.products";
import { hasBalances } from "../areas/credits/grants/operations";
import { archiveCurrency, createCurrency } from "../areas/currencies/operations";
import { provisionCustomer } from "../areas/customers/operations";
import { linkIntegration } from "../areas/customers/operations.integrations";
import { attachPaymentMethod } from "../areas/customers/operations.payment";
import { createFeature } from "../areas/features/operations";
import { getInvoicedCustomer, listCustomerInvoices } from "../areas/invoices/operations";
import { createEntitlements, updateEntitlement } from "../areas/packages/entitlements/operations";
import { packagesUsing } from "../areas/packages/operations.uses";
import { createDraft } from "../areas/packages/versions/operations";
import { createPlan, updatePlan } from "../areas/plans/operations";
import { createProduct } from "../areas/products/operations";
import { grantPromotionalEntitlements } from "../areas/promotional-entitlements/operations";
import { archiveCustomer } from "../areas/subscriptions/customers/operations";
import { creditManually } from "../areas/subscriptions/lifecycle/operations.credit";
import { provisionSubscription, updateSubscription } from "../areas/subscriptions/operations";
import { publishPackage } from "../areas/subscriptions/versions/operations.publish";
import type { Work } from "../kernel/work";
import { seedBudgets } from "./budgets";

/** Adds the states that the main data lacks: drafts, archived objects, promotional entitlements, scheduled changes. */
export function seedStates(work: Work): void {
	seedRetired(work);
	seedUnused(work);
	seedDrafts(work);
	seedGifts(work);
	seedWaiting(work);
	seedResources(work);
	seedBudgets(work);
}

/** A second version of the Pro plan, for new customers only. */
export function seedSecondVersion(work: Work): void {
	createDraft(work, "PLAN", "plan-pro");
	updateEntitlement(work, "PLAN", "plan-pro", "feature-projects", { type: "FEATURE", usageLimit: 100 });
	publishPackage(work, "PLAN", "plan-pro", { migrationType: "NEW_CUSTOMERS" });
}

/** The first credit note: a waived invoice. */
export function seedCreditNote(work: Work): void {
	const customer = getInvoicedCustomer(work, "customer-globex");
	const [invoice] = listCustomerInvoices(work, customer.id, {}).rows;
	if (invoice) creditManually(work, customer.refId, invoice.id, { reasonCode: "WAIVER" });
}

function seedRetired(work: Work): void {
	createProduct(work, { id: "product-retired", displayName: "Paper maps" });
	archiveWholeProduct(work, "product-retired");
	createFeature(work, { id: "feature-retired", displayName: "Fax", featureType: "BOOLEAN" });
	archiveUnusedFeature(work, "feature-retired");
	createCurrency(work, { id: "currency-retired", displayName: "Stamps" });
	archiveCurrency(work, "currency-retired", { usersOf: packagesUsing, hasBalances });
	provisionCustomer(work, { id: "customer-pied-piper", name: "Pied Piper", email: "hello@piedpiper.example" });
	archiveCustomer(work, "customer-pied-piper");
}

/** Unused objects that may be archived. */
function seedUnused(work: Work): void {
	createProduct(work, { id: "product-labs", displayName: "Labs" });
	createFeature(work, { id: "feature-beta", displayName: "Beta programme", featureType: "BOOLEAN" });
	createCurrency(work, { id: "currency-beta", displayName: "Beta points" });
	createPlan(work, { id: "plan-classic", displayName: "Classic", productId: "product-atlas" });
	updatePlan(work, "plan-classic", { charges: { pricingType: "FREE" } });
	publishPackage(work, "PLAN", "plan-classic", { migrationType: "NEW_CUSTOMERS" });
	createAddon(work, { id: "addon-classic", displayName: "Classic support", productId: "product-atlas" });
	updateAddon(work, "addon-classic", { charges: { pricingType: "FREE" } });
	publishPackage(work, "ADDON", "addon-classic", { migrationType: "NEW_CUSTOMERS" });
}

function seedDrafts(work: Work): void {
	const monthly = (amount: number) => ({
		charges: {
			pricingType: "PAID" as const,
			pricingModels: [
				{
					billingModel: "FLAT_FEE" as const,
					pricePeriods: [{ billingPeriod: "MONTHLY" as const, price: { amount, currency: "usd" } }],
				},
			],
		},
	});
	const projects = { entitlements: [{ type: "FEATURE" as const, id: "feature-projects", usageLimit: 150 }] };
	createPlan(work, { id: "plan-growth", displayName: "Growth", productId: "product-atlas" });
	updatePlan(work, "plan-growth", monthly(189));
	createEntitlements(work, "PLAN", "plan-growth", projects);
	createAddon(work, { id: "addon-onboarding", displayName: "Onboarding", productId: "product-atlas" });
	updateAddon(work, "addon-onboarding", monthly(240));
	createEntitlements(work, "ADDON", "addon-onboarding", projects);
}

function seedGifts(work: Work): void {
	grantPromotionalEntitlements(work, "customer-acme", {
		promotionalEntitlements: [
			{
				featureId: "feature-sso",
				period: "1 year",
				customEndDate: null,
				usageLimit: null,
				hasUnlimitedUsage: null,
				hasSoftLimit: null,
				isVisible: null,
				enumValues: null,
				resetPeriod: null,
				monthlyResetPeriodConfiguration: null,
				weeklyResetPeriodConfiguration: null,
				yearlyResetPeriodConfiguration: null,
			},
		],
	});
	linkIntegration(work, "customer-acme", { id: "crm", syncedEntityId: "0015", vendorIdentifier: "SALESFORCE" });
	attachPaymentMethod(work, "customer-stark", {
		integrationId: "bank",
		paymentMethodId: "pm_stark",
		vendorIdentifier: "STRIPE",
	});
}

/** A product with several subscriptions of one customer, each for its own resource. */
function seedResources(work: Work): void {
	createProduct(work, { id: "product-fleet", displayName: "Fleet", multipleSubscriptions: true });
	createPlan(work, { id: "plan-fleet", displayName: "Fleet", productId: "product-fleet" });
	updatePlan(work, "plan-fleet", { charges: { pricingType: "FREE" } });
	publishPackage(work, "PLAN", "plan-fleet", { migrationType: "NEW_CUSTOMERS" });
	for (const depot of ["north", "south"])
		provisionSubscription(work, {
			id: `subscription-depot-${depot}`,
			customerId: "customer-acme",
			planId: "plan-fleet",
			resourceId: `depot-${depot}`,
		});
}

/** Changes that wait for the end of the period or for their payment. */
function seedWaiting(work: Work): void {
	const seats = (quantity: number) => [{ type: "FEATURE" as const, id: "feature-seats", quantity }];
	updateSubscription(work, "subscription-stark", { scheduleStrategy: "END_OF_BILLING_PERIOD", charges: seats(40) });
	updateSubscription(work, "subscription-sakura", { awaitPaymentConfirmation: true, charges: seats(5) });
}
