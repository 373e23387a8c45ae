import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { listOf } from "../../../kernel/schema";
import type { Services } from "../../../services";
import { eventOperations as operations } from "./openapi";
import { listEvents, listUnmatched } from "./operations";
import { EventListQuery, LoggedEvent, UnmatchedName, UnmatchedQuery } from "./schema";

const asIs = <T>(row: T): T => row;

/** What became of events, and taking them back. */
export const eventRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/events", tags: ["Usage"], normalize: false })
		.use(identity(services))
		.get("", ({ read, query }) => read((work) => viewPage(listEvents(work, query, services.eventIds), asIs)), {
			detail: operations.list,
			permit: "USAGE:READ",
			query: EventListQuery,
			response: listOf(LoggedEvent),
		})
		.get(
			"/unmatched",
			({ read, query }) => read((work) => viewPage(listUnmatched(work, query, services.eventIds), asIs)),
			{
				detail: operations.unmatched,
				permit: "USAGE:READ",
				query: UnmatchedQuery,
				response: listOf(UnmatchedName),
			},
		);
