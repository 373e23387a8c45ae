import { type AnyElysia, Elysia } from "elysia";
import type { Services } from "../server/context";
import { graphqlOperation } from "./openapi";
import { yieldToOthers } from "./request/event-loop";

/** What the schema needs of others: read one after the other, since reading is what takes long. */
const engine = [() => import("graphql"), () => import("@elysiajs/graphql-yoga"), () => import("./schema")];

/**
 * `POST /graphql`. The schema and its engine are loaded with the first operation: they take a third of a cold start, and a
 * server whose clients speak REST never needs them. Between the parts others are served.
 */
export const graphqlRoutes = (services: Services): AnyElysia => {
	let loaded: Promise<AnyElysia> | undefined;
	const load = async (): Promise<AnyElysia> => {
		for (const part of engine) {
			await part();
			await yieldToOthers();
		}
		const { loadEndpoint } = await import("./schema");
		const app = await loadEndpoint(services);
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
