import { type AnyElysia, Elysia } from "elysia";
import type { Services } from "../server/context";
import { graphqlOperation } from "./openapi";
import { yieldToOthers } from "./request/event-loop";

/** The modules that the schema needs. They are loaded one after the other, because loading takes long. */
const engine = [() => import("graphql"), () => import("@elysiajs/graphql-yoga"), () => import("./schema")];

/**
 * `POST /graphql`. The first operation loads the schema and its engine: they would take a third of a cold start, and clients
 * of REST never need them. Other requests are served between the parts.
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
