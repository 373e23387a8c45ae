import type { AnyElysia } from "elysia";
import { attemptRoutes } from "../areas/collection/attempts/routes";
import { connectionRoutes } from "../areas/collection/connections/routes";
import { providerEventRoutes } from "../areas/collection/events/routes";
import { methodRoutes } from "../areas/collection/methods/routes";
import { methodPageRoutes } from "../areas/collection/pages/routes";
import { refundRoutes } from "../areas/collection/refunds/routes";
import { refundAtProvider } from "../areas/invoices/receipts/operations.at-provider";
import { removeMethod } from "../areas/subscriptions/customers/operations.remove-method";
import { chargeInvoice, settleAttempt } from "../areas/subscriptions/lifecycle/operations.charge";
import type { Services } from "../server/context";

/** Composes the routes of payment providers. */
export const routes = (services: Services): AnyElysia[] => [
	connectionRoutes(services),
	methodRoutes(services, { removeMethod }),
	providerEventRoutes(services),
	refundRoutes(services, refundAtProvider),
	methodPageRoutes(services),
	attemptRoutes(services, { chargeInvoice, settleAttempt }),
];
