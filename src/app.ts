import { type AnyElysia, Elysia } from "elysia";
import { accessRoutes } from "./areas/access/routes";
import { addonRoutes } from "./areas/addons/routes";
import { contractRoutes } from "./areas/contracts/routes";
import { couponRoutes } from "./areas/coupons/routes";
import { currencyRoutes } from "./areas/currencies/routes";
import { customerRoutes } from "./areas/customers/routes";
import { customerIntegrationRoutes } from "./areas/customers/routes.integrations";
import { entitlementRoutes } from "./areas/entitlements/routes";
import { featureRoutes } from "./areas/features/routes";
import { invoiceRoutes } from "./areas/invoices/routes";
import { planRoutes } from "./areas/plans/routes";
import { productRoutes } from "./areas/products/routes";
import { promotionalEntitlementRoutes } from "./areas/promotional-entitlements/routes";
import { subscriptionRoutes } from "./areas/subscriptions/routes";
import { usageRoutes } from "./areas/usage/routes";
import { clockRoutes } from "./clocks/routes";
import { graphqlRoutes } from "./graphql/routes";
import { docs } from "./http/docs";
import { errors } from "./http/errors";
import { healthRoutes } from "./http/health";
import { requests } from "./http/requests";
import { type Declared, undeclared } from "./http/undeclared";
import type { Services } from "./services";
import { taskRoutes } from "./tasks/routes";

/** Composes the areas' routes, nothing else. */
export const createApp = (services: Services): AnyElysia => {
	// The framework keeps paths without parameters apart from the others.
	const hasRoute = (method: string, path: string): boolean =>
		app.router.http.find(method, path) !== null || app.router.static[path]?.[method] !== undefined;
	let declared: ReadonlyMap<string, Declared> | undefined;
	const declaredBy = (method: string, route: string): Declared | undefined => {
		declared ??= declarations(app);
		return declared.get(`${method} ${route}`);
	};
	const app: AnyElysia = new Elysia({ normalize: false })
		.use(requests(services.log))
		.use(errors(services.log, hasRoute))
		.use(undeclared(declaredBy))
		.use(docs(() => app.routes))
		.use(healthRoutes(services))
		.use(accessRoutes(services))
		.use(productRoutes(services))
		.use(featureRoutes(services))
		.use(currencyRoutes(services))
		.use(planRoutes(services))
		.use(addonRoutes(services))
		.use(couponRoutes(services))
		.use(customerRoutes(services))
		.use(customerIntegrationRoutes(services))
		.use(promotionalEntitlementRoutes(services))
		.use(entitlementRoutes(services))
		.use(subscriptionRoutes(services))
		.use(invoiceRoutes(services))
		.use(usageRoutes(services))
		.use(contractRoutes(services))
		.use(taskRoutes(services))
		.use(clockRoutes(services))
		.use(graphqlRoutes(services));
	return app;
};

/** The API's routes, by what their schemas say they take. */
const declarations = ({ routes }: AnyElysia): ReadonlyMap<string, Declared> =>
	new Map(
		routes
			.filter(({ path }) => path.startsWith("/api/"))
			.map(({ method, path, hooks }) => [
				`${method} ${path}`,
				{ query: hooks.query !== undefined, body: hooks.body !== undefined },
			]),
	);
