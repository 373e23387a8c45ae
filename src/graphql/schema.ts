import { featuresGraphql } from "../areas/features/graphql";
import { productsGraphql } from "../areas/products/graphql";
import type { Services } from "../services";
import { buildAreas } from "./build";
import { endpoint } from "./endpoint";

/** All areas' types and fields as one schema. */
export const graphqlSchema = buildAreas([productsGraphql, featuresGraphql]);

export const graphqlRoutes = (services: Services) => endpoint(services, graphqlSchema);
