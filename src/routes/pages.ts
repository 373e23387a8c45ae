import type { AnyElysia } from "elysia";
import { consoleRoutes } from "../http/pages/console";
import { docs } from "../http/pages/docs";
import { embedRoutes } from "../http/pages/embed";
import type { Services } from "../server/context";

/** Composes the pages: the console, the portal, and the documentation of all routes. */
export const routes = (_services: Services, all: () => Promise<AnyElysia["routes"]>): AnyElysia[] => [
	docs(all),
	consoleRoutes(),
	embedRoutes(),
];
