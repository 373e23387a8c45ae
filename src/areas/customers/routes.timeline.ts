import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { answer } from "../../kernel/schema";
import type { Services } from "../../server/context";
import { customerOperations as operations } from "./openapi";
import { readTimeline } from "./operations.timeline";
import { CustomerPath } from "./schema";
import { CustomerTimeline, TimelineQuery } from "./schema.timeline";

export const customerTimelineRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/customers/:id/timeline", tags: ["Customers"], normalize: false })
		.use(identity(services))
		.get("", ({ read, params: { id }, query }) => read((work) => readTimeline(work, id, query)), {
			detail: operations.timeline,
			// The timeline shows events of subscriptions and invoices too, as webhooks do.
			permit: { scope: "CUSTOMER:READ", also: "WEBHOOK:READ" },
			params: CustomerPath,
			query: TimelineQuery,
			response: answer(CustomerTimeline),
		});
