import { type AnyElysia, Elysia } from "elysia";
import { shortHosts } from "../http/authentication/hosts";
import { cors } from "../http/cors";
import { errors } from "../http/errors";
import { type Declarations, declared } from "../http/fast-path/route-schemas";
import { requests } from "../http/requests";
import { largeAnswers } from "../http/responses/unread";
import type { Services } from "../server/context";

/** Composes an app of these routes, with the handling that all requests share. */
export function compose(services: Services, declarations: Declarations, routes: readonly AnyElysia[]): AnyElysia {
	// The framework keeps paths without parameters apart from the others.
	const hasRoute = (method: string, path: string): boolean =>
		app.router.http.find(method, path) !== null || app.router.static[path]?.[method] !== undefined;
	const base: AnyElysia = new Elysia({ normalize: false, handler: shortHosts })
		.use(requests(services))
		.use(cors(services, (method, path) => declarations.isForPages(method, path)))
		.use(errors(services, hasRoute))
		.use(largeAnswers(services.unread))
		.use(declared(declarations));
	const app = routes.reduce((sofar, one) => sofar.use(one), base);
	declarations.add(app.routes);
	return app;
}
