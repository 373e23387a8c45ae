import type { AnyElysia } from "elysia";
import { contractBillingRoutes } from "../areas/contracts/billing/routes";
import { orderFormRoutes } from "../areas/contracts/order-form/routes";
import { contractRoutes, customerContractRoutes } from "../areas/contracts/routes";
import type { Services } from "../server/context";

/** Composes the routes of contracts. */
export const routes = (services: Services): AnyElysia[] => [
	contractRoutes(services),
	contractBillingRoutes(services),
	orderFormRoutes(services),
	customerContractRoutes(services),
];
