import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../../http/identity";
import { viewPage } from "../../../kernel/page";
import { answer, listOf, single } from "../../../kernel/schema";
import type { Services } from "../../../server/context";
import { cancelEvents } from "./cancel";
import { lookUpEvents } from "./look-up";
import { eventOperations as operations } from "./openapi";
import { listEvents, listUnmatched } from "./operations";
import { eventsByDay } from "./operations.days";
import {
	CanceledEvents,
	EventCancel,
	EventDay,
	EventList,
	EventListQuery,
	UnmatchedName,
	UnmatchedQuery,
} from "./schema";

const asIs = <T>(row: T): T => row;

/** The routes that list and cancel events. */
export const eventRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/events", tags: ["Usage"], normalize: false })
		.use(identity(services))
		.get(
			"",
			async ({ actor, read, query }) => {
				const known = await lookUpEvents(services, actor, query);
				return read((work) => {
					const page = listEvents(work, query, services.eventIds, known);
					return { ...viewPage(page, asIs), lookedBackTo: page.lookedBackTo };
				});
			},
			{
				detail: operations.list,
				permit: "USAGE:READ",
				query: EventListQuery,
				response: answer(EventList),
			},
		)
		.get(
			"/unmatched",
			({ read, query }) => read((work) => viewPage(listUnmatched(work, query, services.eventIds), asIs)),
			{
				detail: operations.unmatched,
				permit: "USAGE:READ",
				query: UnmatchedQuery,
				response: listOf(UnmatchedName),
			},
		)
		.get("/by-day", ({ read }) => read((work) => ({ data: eventsByDay(work) })), {
			detail: operations.byDay,
			permit: "USAGE:READ",
			response: single(Type.Array(EventDay)),
		})
		.post(
			"/cancel",
			({ actor, body, once }) => once(async () => ({ data: await cancelEvents(services, actor, body) })),
			{
				detail: operations.cancel,
				permit: "USAGE:WRITE",
				body: EventCancel,
				response: single(CanceledEvents),
			},
		);
