import type { AnyElysia } from "elysia";
import { portalBudgetRoutes } from "../areas/portal/budgets/routes";
import { portalPaymentRoutes } from "../areas/portal/payment/routes";
import { checkoutSellerRoutes } from "../areas/portal/routes";
import { checkoutRoutes } from "../areas/portal/routes.checkout";
import { portalRoutes } from "../areas/portal/routes.portal";
import { portalShownRoutes } from "../areas/portal/routes.shown";
import type { Services } from "../server/context";

/** Composes the routes of the customer portal and checkout. */
export const routes = (services: Services): AnyElysia[] => [
	checkoutSellerRoutes(services),
	portalRoutes(services),
	portalPaymentRoutes(services),
	portalBudgetRoutes(services),
	portalShownRoutes(services),
	checkoutRoutes(services),
];
