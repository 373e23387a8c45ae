import { type AnyElysia, Elysia } from "elysia";
import type { Services } from "../services";
import { graphqlOperation } from "./openapi";

/**
 * `POST /graphql`. The schema and its engine are loaded with the first operation: they take a third of a cold start, and a
 * server whose clients speak REST never needs them.
 */
export const graphqlRoutes = (services: Services): AnyElysia => {
	let loaded: Promise<AnyElysia> | undefined;
	const load = async (): Promise<AnyElysia> => {
		const { graphqlEndpoint } = await import("./schema");
		const app = graphqlEndpoint(services);
		await app.modules;
		return app;
	};
	return new Elysia({ tags: ["GraphQL"], normalize: false }).post(
		"/graphql",
		async ({ request }) => {
			loaded ??= load();
			return (await loaded).handle(request);
		},
		{ parse: "none", detail: graphqlOperation },
	);
};
