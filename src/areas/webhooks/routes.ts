import { Type } from "@sinclair/typebox";
import { Elysia } from "elysia";
import { identity } from "../../http/identity";
import { viewPage } from "../../kernel/page";
import { answer, listOf, single } from "../../kernel/schema";
import type { Services } from "../../server/context";
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
import {
	Delivery,
	DeliveryListQuery,
	EventTypeView,
	Replay,
	ReplayRange,
	Webhook,
	WebhookCreate,
	WebhookListQuery,
	WebhookPath,
	WebhookTestResult,
	WebhookUpdate,
} from "./schema";
import { testSend } from "./test-send";
import { viewDelivery, viewEventTypes, viewWebhook, viewWithSecret } from "./view";

const read = "WEBHOOK:READ";
const write = "WEBHOOK:WRITE";

/** Routes for endpoints, their deliveries, and the event types. */
export const webhookRoutes = (services: Services) => {
	const { folderSecret, allowPrivateWebhooks: allowPrivate } = services.outgoing;
	return (
		new Elysia({ prefix: "/api/v1", tags: ["Webhooks"], normalize: false })
			.use(identity(services))
			.get("/webhooks/event-types", () => ({ data: viewEventTypes() }), {
				detail: operations.eventTypes,
				permit: read,
				response: answer(Type.Object({ data: Type.Array(EventTypeView) })),
			})
			.get(
				"/webhooks",
				({ read, query }) => read((work) => viewPage(listWebhooks(work, query), (row) => viewWebhook(work, row))),
				{
					detail: operations.list,
					permit: read,
					query: WebhookListQuery,
					response: listOf(Webhook),
				},
			)
			.post(
				"/webhooks",
				({ create, body }) =>
					create((work) => ({ data: viewWithSecret(work, createWebhook(work, body, allowPrivate), folderSecret) })),
				{ detail: operations.create, permit: write, body: WebhookCreate, response: { 201: single(Webhook) } },
			)
			.get(
				"/webhooks/:id",
				({ read, params: { id } }) => read((work) => ({ data: viewWebhook(work, getWebhook(work, id)) })),
				{
					detail: operations.retrieve,
					permit: read,
					params: WebhookPath,
					response: single(Webhook),
				},
			)
			.patch(
				"/webhooks/:id",
				({ write, params: { id }, body }) =>
					write((work) => ({ data: viewWebhook(work, updateWebhook(work, id, body, allowPrivate)) })),
				{
					detail: operations.update,
					permit: write,
					params: WebhookPath,
					body: WebhookUpdate,
					response: single(Webhook),
				},
			)
			.delete(
				"/webhooks/:id",
				({ write, params: { id } }) => write((work) => ({ data: viewWebhook(work, deleteWebhook(work, id)) })),
				{
					detail: operations.delete,
					permit: write,
					params: WebhookPath,
					response: single(Webhook),
				},
			)
			.post(
				"/webhooks/:id/rotate-secret",
				({ write, params: { id } }) =>
					write((work) => ({ data: viewWithSecret(work, rotateSecret(work, id), folderSecret) })),
				{ detail: operations.rotate, permit: write, params: WebhookPath, response: single(Webhook) },
			)
			.post(
				"/webhooks/:id/test",
				({ actor, once, params: { id } }) => once(async () => ({ data: await testSend(services, actor, id) })),
				{
					detail: operations.test,
					permit: { scope: write, takesLong: true },
					params: WebhookPath,
					response: single(WebhookTestResult),
				},
			)
			.get(
				"/webhooks/:id/deliveries",
				({ read, params: { id }, query }) => read((work) => viewPage(listDeliveries(work, id, query), viewDelivery)),
				{
					detail: operations.deliveries,
					permit: read,
					params: WebhookPath,
					query: DeliveryListQuery,
					response: listOf(Delivery),
				},
			)
			.post(
				"/webhooks/:id/replay",
				({ write, params: { id }, body }) => write((work) => ({ data: replayRange(work, id, body) })),
				{
					detail: operations.replayRange,
					permit: write,
					params: WebhookPath,
					body: ReplayRange,
					response: single(Replay),
				},
			)
			// The path is not below /webhooks, where `deliveries` could also be the id of a webhook.
			.get(
				"/webhook-deliveries/:id",
				({ read, params: { id } }) => read((work) => ({ data: viewDelivery(getDelivery(work, id)) })),
				{ detail: operations.delivery, permit: read, params: WebhookPath, response: single(Delivery) },
			)
			.post(
				"/webhooks/deliveries/:id/replay",
				({ write, params: { id } }) => write((work) => ({ data: viewDelivery(replayDelivery(work, id)) })),
				{ detail: operations.replay, permit: write, params: WebhookPath, response: single(Delivery) },
			)
	);
};
