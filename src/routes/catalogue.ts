import type { AnyElysia } from "elysia";
import { addonRoutes } from "../areas/addons/routes";
import { featuresInUse } from "../areas/catalog/operations.features";
import { productsInUse } from "../areas/catalog/operations.products";
import { couponRoutes } from "../areas/coupons/routes";
import { featureRoutes } from "../areas/features/routes";
import { planRoutes } from "../areas/plans/routes";
import { portalSellerRoutes } from "../areas/portal/routes";
import { productRoutes } from "../areas/products/routes";
import { simulationRoutes } from "../areas/simulations/routes";
import { packagePreviewRoutes } from "../areas/subscriptions/preview/routes";
import { taxRoutes } from "../areas/taxes/routes";
import type { Services } from "../server/context";

/** Composes the routes of the catalogue: products, features, plans, addons, coupons and taxes. */
export const routes = (services: Services): AnyElysia[] => [
	productRoutes(services, productsInUse),
	featureRoutes(services, featuresInUse),
	planRoutes(services),
	simulationRoutes(services),
	packagePreviewRoutes(services),
	addonRoutes(services),
	couponRoutes(services),
	taxRoutes(services),
	portalSellerRoutes(services),
];
