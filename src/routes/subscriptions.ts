import type { AnyElysia } from "elysia";
import { listEntitlements } from "../areas/entitlements/operations";
import { subscriptionRoutes } from "../areas/subscriptions/routes";
import { subscriptionLifecycleRoutes } from "../areas/subscriptions/routes.lifecycle";
import type { Services } from "../server/context";

/** Composes the routes of subscriptions. */
export const routes = (services: Services): AnyElysia[] => [
	subscriptionRoutes(services, listEntitlements),
	subscriptionLifecycleRoutes(services),
];
