import type { AnyElysia } from "elysia";
import { entitlementStreamRoutes } from "../areas/entitlements/stream/routes";
import { webhookRoutes } from "../areas/webhooks/routes";
import { feedRoutes } from "../areas/webhooks/routes.feed";
import type { Services } from "../server/context";
import { taskRoutes } from "../tasks/routes";

/** Composes the routes of webhooks, feeds, streams and tasks. */
export const routes = (services: Services): AnyElysia[] => [
	entitlementStreamRoutes(services),
	webhookRoutes(services),
	feedRoutes(services),
	taskRoutes(services),
];
