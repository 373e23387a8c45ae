import type { AnyElysia } from "elysia";
import { usageLag } from "../areas/usage/operations";
import { healthRoutes } from "../http/health";
import { statusRoutes } from "../metrics/routes";
import type { Services } from "../server/context";

/** Composes the probes. They are apart from the other routes, so that a start answers them at once. */
export const routes = (services: Services): AnyElysia[] => [
	healthRoutes(services, usageLag),
	statusRoutes(services, usageLag),
];
