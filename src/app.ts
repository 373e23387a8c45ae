import { type AnyElysia, Elysia } from "elysia";
import { accessRoutes } from "./areas/access/routes";
import { errors } from "./http/errors";
import { healthRoutes } from "./http/health";
import { requests } from "./http/requests";
import type { Services } from "./services";
import { taskRoutes } from "./tasks/routes";

/** Composes the areas' routes, nothing else. */
export const createApp = (services: Services): AnyElysia => {
	const app: AnyElysia = new Elysia({ normalize: false })
		.use(requests(services.log))
		.use(errors(services.log, (method, path) => app.router.http.find(method, path) !== null))
		.use(healthRoutes(services))
		.use(accessRoutes(services))
		.use(taskRoutes(services));
	return app;
};
