import type { AnyElysia } from "elysia";
import { paywallRoutes } from "../graphql/edge/paywall";
import { edgeRoutes } from "../graphql/edge/routes";
import { graphqlRoutes } from "../graphql/routes";
import type { Services } from "../server/context";

/** Composes the routes of GraphQL and the edge. */
export const routes = (services: Services): AnyElysia[] => [
	graphqlRoutes(services),
	paywallRoutes(services),
	edgeRoutes(services),
];
