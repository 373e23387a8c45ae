import type { AnyElysia } from "elysia";
import { customerRoutes } from "../areas/customers/routes";
import { customerIntegrationRoutes } from "../areas/customers/routes.integrations";
import { customerInvoicingRoutes } from "../areas/customers/routes.invoicing";
import { customerTimelineRoutes } from "../areas/customers/routes.timeline";
import { budgetExportRoutes } from "../areas/governance/export/routes";
import { budgetFileRoutes } from "../areas/governance/files/routes";
import { budgetRequestRoutes } from "../areas/governance/requests/routes";
import { governancePrefixes, governanceRoutes } from "../areas/governance/routes";
import { mailApprover } from "../areas/portal/budgets/operations.mail";
import { privacyRoutes } from "../areas/privacy/routes";
import { promotionalEntitlementRoutes } from "../areas/promotional-entitlements/routes";
import { archiveCustomer, detachPaymentMethod, startCustomer } from "../areas/subscriptions/customers/operations";
import type { Services } from "../server/context";

/** Composes the routes of customers. */
export const routes = (services: Services): AnyElysia[] => [
	customerRoutes(services, { startCustomer, archiveCustomer, detachPaymentMethod }),
	customerIntegrationRoutes(services),
	customerInvoicingRoutes(services),
	customerTimelineRoutes(services),
	promotionalEntitlementRoutes(services),
	privacyRoutes(services),
	budgetRequestRoutes(services, mailApprover(services.outgoing)),
	budgetExportRoutes(services),
	budgetFileRoutes(services),
	...governancePrefixes.map((prefix) => governanceRoutes(services, prefix)),
];
