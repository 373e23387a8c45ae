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
import { simulationRoutes } from "./areas/simulations/routes";
import { subscriptionRoutes } from "./areas/subscriptions/routes";
import { usageRoutes } from "./areas/usage/routes";
import { clockRoutes } from "./clocks/routes";
import { graphqlRoutes } from "./graphql/routes";
import { cors } from "./http/cors";
import { Declarations, declared } from "./http/declared";
import { docs } from "./http/docs";
import { errors } from "./http/errors";
import { healthRoutes } from "./http/health";
import { shortHosts } from "./http/hosts";
import { requests } from "./http/requests";
import type { Services } from "./services";
import { taskRoutes } from "./tasks/routes";

/** Composes the areas' routes, nothing else. */
export const createApp = (services: Services): AnyElysia => composeApp(services).app;

/** The same, with what its routes declare. */
export const composeApp = (services: Services): { readonly app: AnyElysia; readonly declarations: Declarations } => {
	// The framework keeps paths without parameters apart from the others.
	const hasRoute = (method: string, path: string): boolean =>
		app.router.http.find(method, path) !== null || app.router.static[path]?.[method] !== undefined;
	const declarations = new Declarations(() => app);
	const app: AnyElysia = new Elysia({ normalize: false, handler: shortHosts })
		.use(requests(services))
		.use(cors(services, (method, path) => declarations.isPublishable(method, path)))
		.use(errors(services, hasRoute))
		.use(declared(declarations))
		.use(docs(() => app.routes))
		.use(healthRoutes(services))
		.use(accessRoutes(services))
		.use(productRoutes(services))
		.use(featureRoutes(services))
		.use(currencyRoutes(services))
		.use(planRoutes(services))
		.use(simulationRoutes(services))
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
	return { app, declarations };
};
