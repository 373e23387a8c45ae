import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { listOf, single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../services";
import { listEntitlements } from "../entitlements/operations";
import { detailOf, detailsOf } from "./details";
import { importSubscriptions } from "./import-request";
import { cancelSubscription, getSubscription, listSubscriptions, provisionSubscription } from "./operations";
import { Subscription, SubscriptionCancel, SubscriptionListQuery, SubscriptionPath } from "./schema";
import { ImportStarted, SubscriptionImport } from "./schema.import";
import { SubscriptionProvision } from "./schema.provision";
import { SubscriptionProvisioned } from "./schema.provisioned";
import type { SubscriptionRow } from "./table";
import { viewSubscription } from "./view";

const show = (work: Work, row: SubscriptionRow) => ({ data: viewSubscription(detailOf(work, row), work.now) });

/** The answer shows what the customer may do from now on, read in the same transaction. */
function provision(work: Work, body: SubscriptionProvision): { data: SubscriptionProvisioned } {
	const row = provisionSubscription(work, body);
	const details = detailOf(work, row);
	return {
		data: {
			id: row.refId,
			status: "SUCCESS",
			isScheduled: false,
			entitlements: listEntitlements(work, details.customerRef, details.resourceRef).entitlements,
			subscription: viewSubscription(details, work.now),
		},
	};
}

const params = SubscriptionPath;
const response = single(Subscription);

export const subscriptionRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/subscriptions", tags: ["Subscriptions"], normalize: false })
		.use(identity(services))
		.get(
			"",
			({ read, query }) =>
				read((work) => {
					const page = listSubscriptions(work, query);
					const details = new Map(detailsOf(work, page.rows).map((one) => [one.row.id, one]));
					return viewPage(page, (row) => viewSubscription(details.get(row.id) ?? detailOf(work, row), work.now));
				}),
			{ permit: "SUBSCRIPTION:READ", query: SubscriptionListQuery, response: listOf(Subscription) },
		)
		.post("", ({ create, body }) => create((work) => provision(work, body)), {
			permit: { scope: "SUBSCRIPTION:WRITE", limitedBy: "customer-resource" },
			body: SubscriptionProvision,
			response: { 201: single(SubscriptionProvisioned) },
		})
		.post("/import", ({ write, body }) => write((work) => ({ data: { taskId: importSubscriptions(work, body).id } })), {
			permit: "SUBSCRIPTION:WRITE",
			body: SubscriptionImport,
			response: single(ImportStarted),
		})
		.get("/:id", ({ read, params: { id } }) => read((work) => show(work, getSubscription(work, id))), {
			permit: "SUBSCRIPTION:READ",
			params,
			response,
		})
		.post(
			"/:id/cancel",
			({ write, params: { id }, body }) => write((work) => show(work, cancelSubscription(work, id, body ?? {}))),
			{
				permit: { scope: "SUBSCRIPTION:WRITE", limitedBy: "subscription" },
				params,
				// No body at all is the same as an empty one (semantics 1.2).
				body: Type.Union([SubscriptionCancel, Type.Undefined()]),
				response,
			},
		);
