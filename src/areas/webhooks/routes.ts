import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { newUuidV7 } from "../../kernel/ids";
import { viewPage } from "../../kernel/page";
import { answer, listOf, single } from "../../kernel/schema";
import type { Work } from "../../kernel/work";
import type { Services } from "../../services";
import { webhookOperations as operations } from "./openapi";
import {
	createWebhook,
	deleteWebhook,
	getDelivery,
	getWebhook,
	listDeliveries,
	listWebhooks,
	replayDelivery,
	replayRange,
	rotateSecret,
	updateWebhook,
} from "./operations";
import { webhookSecret } from "./rules.secrets";
import {
	Delivery,
	DeliveryListQuery,
	EventTypeView,
	Replay,
	ReplayRange,
	Webhook,
	WebhookCreate,
	WebhookListQuery,
	WebhookTestResult,
	WebhookUpdate,
} from "./schema";
import { Sender } from "./sending";
import type { WebhookRow } from "./table";
import { viewDelivery, viewEventTypes, viewWebhook } from "./view";

const params = Type.Object({ id: Type.String({ maxLength: 255 }) });
const read = "WEBHOOK:READ";
const write = "WEBHOOK:WRITE";

/** Endpoints, what was sent to them, and what they can be told of. */
export const webhookRoutes = (services: Services) => {
	const { folderSecret, allowPrivateWebhooks: allowPrivate } = services.outgoing;
	const now = () => services.transactions.now("");
	const sender = new Sender({ folderSecret, allowPrivate, now });
	/** Whoever keeps the answer leaves it out. */
	const shownOnce = (work: Work, webhook: WebhookRow): string => {
		const secret = webhookSecret(folderSecret, webhook);
		work.secrets.push(secret);
		return secret;
	};
	return new Elysia({ prefix: "/api/v1/webhooks", tags: ["Webhooks"], normalize: false })
		.use(identity(services))
		.get("/event-types", () => ({ data: viewEventTypes() }), {
			detail: operations.eventTypes,
			permit: read,
			response: answer(Type.Object({ data: Type.Array(EventTypeView) })),
		})
		.get("", ({ read, query }) => read((work) => viewPage(listWebhooks(work, query), (row) => viewWebhook(row))), {
			detail: operations.list,
			permit: read,
			query: WebhookListQuery,
			response: listOf(Webhook),
		})
		.post(
			"",
			({ create, body }) =>
				create((work) => {
					const webhook = createWebhook(work, body, allowPrivate);
					return { data: viewWebhook(webhook, shownOnce(work, webhook)) };
				}),
			{ detail: operations.create, permit: write, body: WebhookCreate, response: { 201: single(Webhook) } },
		)
		.get("/:id", ({ read, params: { id } }) => read((work) => ({ data: viewWebhook(getWebhook(work, id)) })), {
			detail: operations.retrieve,
			permit: read,
			params,
			response: single(Webhook),
		})
		.patch(
			"/:id",
			({ write, params: { id }, body }) =>
				write((work) => ({ data: viewWebhook(updateWebhook(work, id, body, allowPrivate)) })),
			{ detail: operations.update, permit: write, params, body: WebhookUpdate, response: single(Webhook) },
		)
		.delete("/:id", ({ write, params: { id } }) => write((work) => ({ data: viewWebhook(deleteWebhook(work, id)) })), {
			detail: operations.delete,
			permit: write,
			params,
			response: single(Webhook),
		})
		.post(
			"/:id/rotate-secret",
			({ write, params: { id } }) =>
				write((work) => {
					const webhook = rotateSecret(work, id);
					return { data: viewWebhook(webhook, shownOnce(work, webhook)) };
				}),
			{ detail: operations.rotate, permit: write, params, response: single(Webhook) },
		)
		.post(
			"/:id/test",
			({ actor, once, params: { id } }) =>
				once(async () => {
					const webhook = services.transactions.read(actor, (work) => getWebhook(work, id));
					const messageId = newUuidV7();
					const { accountId, environmentId } = actor;
					const timestamp = new Date(services.transactions.now(environmentId)).toISOString();
					const body = JSON.stringify({ type: "webhook.test", messageId, accountId, environmentId, timestamp });
					const { status, durationMs, body: answered, error } = await sender.send(webhook, { messageId, body });
					return { data: { status, durationMs, body: answered, error } };
				}),
			{
				detail: operations.test,
				permit: { scope: write, takesLong: true },
				params,
				response: single(WebhookTestResult),
			},
		)
		.get(
			"/:id/deliveries",
			({ read, params: { id }, query }) => read((work) => viewPage(listDeliveries(work, id, query), viewDelivery)),
			{ detail: operations.deliveries, permit: read, params, query: DeliveryListQuery, response: listOf(Delivery) },
		)
		.post(
			"/:id/replay",
			({ write, params: { id }, body }) => write((work) => ({ data: replayRange(work, id, body) })),
			{ detail: operations.replayRange, permit: write, params, body: ReplayRange, response: single(Replay) },
		)
		.get(
			"/deliveries/:id",
			({ read, params: { id } }) => read((work) => ({ data: viewDelivery(getDelivery(work, id)) })),
			{ detail: operations.delivery, permit: read, params, response: single(Delivery) },
		)
		.post(
			"/deliveries/:id/replay",
			({ write, params: { id } }) => write((work) => ({ data: viewDelivery(replayDelivery(work, id)) })),
			{ detail: operations.replay, permit: write, params, response: single(Delivery) },
		);
};
