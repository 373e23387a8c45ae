import type { AnyElysia } from "elysia";
import { usageAlertRoutes } from "../areas/entitlements/alerts/routes";
import { consumptionRoutes } from "../areas/entitlements/consumption/routes";
import { usageResets } from "../areas/entitlements/operations.resets";
import { entitlementRoutes } from "../areas/entitlements/routes";
import { eventRoutes } from "../areas/usage/events/routes";
import { metricsRoutes } from "../areas/usage/formats/routes";
import { usageRebuildRoutes } from "../areas/usage/rebuild/routes";
import { usageRoutes } from "../areas/usage/routes";
import type { Services } from "../server/context";

/** Composes the routes of entitlements, usage and usage events. */
export const routes = (services: Services): AnyElysia[] => [
	...entitlementRoutes(services),
	usageAlertRoutes(services),
	usageRoutes(services, usageResets),
	usageRebuildRoutes(services),
	consumptionRoutes(services),
	eventRoutes(services),
	metricsRoutes(services),
];
