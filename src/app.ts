import { type AnyElysia, Elysia } from "elysia";
import { environmentRoutes } from "./areas/access/environments/routes";
import { keyRoutes } from "./areas/access/keys/routes";
import { memberRoutes, roleRoutes } from "./areas/access/members/routes";
import { accessRoutes } from "./areas/access/routes";
import { addonRoutes } from "./areas/addons/routes";
import { auditRoutes } from "./areas/audit/routes";
import { featuresInUse } from "./areas/catalog/operations.features";
import { productsInUse } from "./areas/catalog/operations.products";
import { environmentMergeRoutes } from "./areas/catalog/routes";
import { lateUsageOf } from "./areas/contracts/billing/operations.late-usage";
import { contractBillingRoutes } from "./areas/contracts/billing/routes";
import { orderFormRoutes } from "./areas/contracts/order-form/routes";
import { contractRoutes, customerContractRoutes } from "./areas/contracts/routes";
import { couponRoutes } from "./areas/coupons/routes";
import { creditBalanceRoutes } from "./areas/credits/balances/routes";
import { creditConsumptionRoutes } from "./areas/credits/consumption/routes";
import { hasBalances } from "./areas/credits/grants/operations";
import { creditGrantRoutes } from "./areas/credits/grants/routes";
import { creditLedgerRoutes } from "./areas/credits/ledger/routes";
import { autoRechargeRoutes } from "./areas/credits/recharge/routes";
import { creditRevenueRoutes } from "./areas/credits/revenue/routes";
import { creditUsageRoutes } from "./areas/credits/usage/routes";
import { currencyRoutes } from "./areas/currencies/routes";
import { customerRoutes } from "./areas/customers/routes";
import { customerIntegrationRoutes } from "./areas/customers/routes.integrations";
import { customerInvoicingRoutes } from "./areas/customers/routes.invoicing";
import { customerTimelineRoutes } from "./areas/customers/routes.timeline";
import { usageAlertRoutes } from "./areas/entitlements/alerts/routes";
import { consumptionRoutes } from "./areas/entitlements/consumption/routes";
import { listEntitlements } from "./areas/entitlements/operations";
import { usageResets } from "./areas/entitlements/operations.resets";
import { entitlementBetaRoutes, entitlementRoutes } from "./areas/entitlements/routes";
import { entitlementStreamRoutes } from "./areas/entitlements/stream/routes";
import { featureRoutes } from "./areas/features/routes";
import { accountEntered, assertPasswordSuffices } from "./areas/identity-providers/operations.sign-in";
import { identityProviderRoutes } from "./areas/identity-providers/routes";
import { oidcRoutes } from "./areas/identity-providers/routes.sign-in";
import { balanceRoutes } from "./areas/invoices/balance/routes";
import { creditNoteRoutes } from "./areas/invoices/credit-notes/routes";
import { draftRoutes } from "./areas/invoices/drafts/routes";
import { explainRoutes } from "./areas/invoices/explain/routes";
import { invoiceListRoutes } from "./areas/invoices/lists/routes";
import { paymentRoutes } from "./areas/invoices/payments/routes";
import { invoiceRoutes } from "./areas/invoices/routes";
import { documentRoutes } from "./areas/invoices/routes.pdf";
import { invoiceTotalsRoutes } from "./areas/invoices/totals/routes";
import { legalEntityRoutes } from "./areas/legal-entities/routes";
import { packagesUsing } from "./areas/packages/operations.uses";
import { planRoutes } from "./areas/plans/routes";
import { checkoutSellerRoutes, portalSellerRoutes } from "./areas/portal/routes";
import { checkoutRoutes } from "./areas/portal/routes.checkout";
import { portalRoutes } from "./areas/portal/routes.portal";
import { portalShownRoutes } from "./areas/portal/routes.shown";
import { privacyRoutes } from "./areas/privacy/routes";
import { productRoutes } from "./areas/products/routes";
import { promotionalEntitlementRoutes } from "./areas/promotional-entitlements/routes";
import { scimRoutes } from "./areas/scim/routes";
import { simulationRoutes } from "./areas/simulations/routes";
import { creditPriceOf } from "./areas/subscriptions/billing/operations.credit-price";
import { archiveCustomer, detachPaymentMethod, startCustomer } from "./areas/subscriptions/customers/operations";
import { creditManually, voidManually } from "./areas/subscriptions/lifecycle/operations.credit";
import { payInvoice, takePayment } from "./areas/subscriptions/lifecycle/operations.payment";
import { packagePreviewRoutes } from "./areas/subscriptions/preview/routes";
import { subscriptionRoutes } from "./areas/subscriptions/routes";
import { eventRoutes } from "./areas/usage/events/routes";
import { metricsRoutes } from "./areas/usage/formats/routes";
import { usageLag } from "./areas/usage/operations";
import { usageRebuildRoutes } from "./areas/usage/rebuild/routes";
import { usageRoutes } from "./areas/usage/routes";
import { webhookRoutes } from "./areas/webhooks/routes";
import { feedRoutes } from "./areas/webhooks/routes.feed";
import { paywallRoutes } from "./graphql/edge/paywall";
import { edgeRoutes } from "./graphql/edge/routes";
import { graphqlRoutes } from "./graphql/routes";
import { shortHosts } from "./http/authentication/hosts";
import { cors } from "./http/cors";
import { errors } from "./http/errors";
import { Declarations, declared } from "./http/fast-path/route-schemas";
import { healthRoutes } from "./http/health";
import { consoleRoutes } from "./http/pages/console";
import { docs } from "./http/pages/docs";
import { embedRoutes } from "./http/pages/embed";
import { requests } from "./http/requests";
import { largeAnswers } from "./http/responses/unread";
import type { Services } from "./server/context";
import { taskRoutes } from "./tasks/routes";
import { clockRoutes } from "./test-clocks/routes";

/** Composes the areas' routes, and passes each area the operations that it needs of later areas. */
export const createApp = (services: Services): AnyElysia => composeApp(services).app;

/** Composes the app, with the declarations of its routes. */
export const composeApp = (services: Services): { readonly app: AnyElysia; readonly declarations: Declarations } => {
	// The framework keeps paths without parameters apart from the others.
	const hasRoute = (method: string, path: string): boolean =>
		app.router.http.find(method, path) !== null || app.router.static[path]?.[method] !== undefined;
	const declarations = new Declarations(() => app);
	const app: AnyElysia = new Elysia({ normalize: false, handler: shortHosts })
		.use(requests(services))
		.use(cors(services, (method, path) => declarations.isForPages(method, path)))
		.use(errors(services, hasRoute))
		.use(largeAnswers(services.unread))
		.use(declared(declarations))
		.use(docs(() => app.routes))
		.use(consoleRoutes())
		.use(embedRoutes())
		.use(healthRoutes(services, usageLag))
		.use(accessRoutes(services, { assertPasswordSuffices, accountEntered }))
		.use(memberRoutes(services))
		.use(roleRoutes(services))
		.use(keyRoutes(services))
		.use(environmentRoutes(services))
		.use(auditRoutes(services))
		.use(identityProviderRoutes(services))
		.use(oidcRoutes(services))
		.use(scimRoutes(services))
		.use(productRoutes(services, productsInUse))
		.use(featureRoutes(services, featuresInUse))
		.use(currencyRoutes(services, { usersOf: packagesUsing, hasBalances }))
		.use(creditGrantRoutes(services))
		.use(autoRechargeRoutes(services, creditPriceOf))
		.use(planRoutes(services))
		.use(simulationRoutes(services))
		.use(packagePreviewRoutes(services))
		.use(addonRoutes(services))
		.use(couponRoutes(services))
		.use(customerRoutes(services, { startCustomer, archiveCustomer, detachPaymentMethod }))
		.use(customerIntegrationRoutes(services))
		.use(customerInvoicingRoutes(services))
		.use(customerTimelineRoutes(services))
		.use(promotionalEntitlementRoutes(services))
		.use(entitlementRoutes(services))
		.use(entitlementBetaRoutes(services))
		.use(entitlementStreamRoutes(services))
		.use(usageAlertRoutes(services))
		.use(subscriptionRoutes(services, listEntitlements))
		.use(legalEntityRoutes(services))
		.use(invoiceRoutes(services, payInvoice))
		.use(invoiceListRoutes(services))
		.use(invoiceTotalsRoutes(services))
		.use(draftRoutes(services, lateUsageOf))
		.use(explainRoutes(services))
		.use(paymentRoutes(services, takePayment))
		.use(balanceRoutes(services))
		.use(creditNoteRoutes(services, creditManually, voidManually))
		.use(documentRoutes(services))
		.use(creditConsumptionRoutes(services))
		.use(creditLedgerRoutes(services))
		.use(creditUsageRoutes(services))
		.use(creditBalanceRoutes(services))
		.use(creditRevenueRoutes(services))
		.use(usageRoutes(services, usageResets))
		.use(usageRebuildRoutes(services))
		.use(eventRoutes(services))
		.use(metricsRoutes(services))
		.use(consumptionRoutes(services))
		.use(contractRoutes(services))
		.use(contractBillingRoutes(services))
		.use(orderFormRoutes(services))
		.use(customerContractRoutes(services))
		.use(privacyRoutes(services))
		.use(webhookRoutes(services))
		.use(feedRoutes(services))
		.use(taskRoutes(services))
		.use(clockRoutes(services))
		.use(environmentMergeRoutes(services))
		.use(portalSellerRoutes(services))
		.use(checkoutSellerRoutes(services))
		.use(portalRoutes(services))
		.use(portalShownRoutes(services))
		.use(checkoutRoutes(services))
		.use(graphqlRoutes(services))
		.use(paywallRoutes(services))
		.use(edgeRoutes(services));
	return { app, declarations };
};

/** Composes the probes alone, which takes a moment: they are answered before the other routes exist. */
export const composeProbes = (services: Services): AnyElysia =>
	new Elysia({ normalize: false })
		.use(requests(services))
		.use(errors(services, () => false))
		.use(healthRoutes(services, usageLag));
