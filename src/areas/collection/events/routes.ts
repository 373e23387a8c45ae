import { Elysia } from "elysia";
import { bodySizeOf } from "../../../http/body-sizes";
import { single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { ConnectionPath } from "../connections/schema";
import { eventOperations as operations } from "./openapi";
import { receiveEvent } from "./receive";
import { ReceivedProviderEvent } from "./schema";

/** The route that receives events of providers. The signature authenticates the sender. */
export const providerEventRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/provider-connections", tags: ["Charging"], normalize: false }).post(
		"/:id/events",
		async ({ request, route, params: { id } }) => {
			const read = async () =>
				Buffer.from(await services.bodies.text(request, bodySizeOf(request.method, route)), "latin1");
			return { data: { eventId: await receiveEvent(services, id, request.headers, read) } };
		},
		{ detail: operations.receive, parse: "none", params: ConnectionPath, response: single(ReceivedProviderEvent) },
	);
