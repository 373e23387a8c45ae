import { eq, sql } from "drizzle-orm";
import { fieldsOf, type GraphqlArea, textOf } from "../../graphql/area";
import { type Input, NoBody, operation } from "../../graphql/input/operation";
import { isoText } from "../../graphql/input/subscription-input";
import { choice, date, type List, text } from "../../graphql/lists/list";
import {
	createWebhook,
	deleteWebhook,
	deliveriesByIds,
	getDelivery,
	getWebhook,
	replayDelivery,
	replayRange,
	rotateSecret,
	updateWebhook,
	webhooksByIds,
} from "./operations";
import { type Delivery, ReplayRange, type Webhook, WebhookCreate, WebhookPath, WebhookUpdate } from "./schema";
import { webhooks } from "./table";
import { deliveries } from "./table.deliveries";
import { testSend } from "./test-send";
import { viewDelivery, viewEventTypes, viewWebhook, viewWithSecret } from "./view";

const settings = `
		description: String
		"The subscribed event types; without them, all."
		eventLogTypes: [String!]
		configuration: JSON
		status: WebhookStatus
		sendsSecret: Boolean
`;

const typeDefs = `
	enum WebhookStatus { ACTIVE INACTIVE }
	enum WebhookDeliveryStatus { PENDING DELIVERED FAILED }
	"An endpoint that receives events."
	type Webhook {
		id: ID!
		endpoint: String!
		description: String
		eventLogTypes: [String!]!
		configuration: JSON!
		"Present only in the response that creates or rotates it."
		secretKey: String
		formerSecretUntil: DateTime
		sendsSecret: Boolean!
		status: WebhookStatus!
		"The time since which no delivery has succeeded; null if the last one succeeded."
		failingSince: DateTime
		createdAt: DateTime!
		updatedAt: DateTime!
	}
	type WebhookDeliveryAttempt { at: DateTime! durationMs: Float! status: Int body: String error: String }
	type WebhookDelivery {
		id: ID!
		webhookId: ID!
		messageId: String!
		type: String!
		"The sequence of the event in the feed."
		sequence: Float!
		status: WebhookDeliveryStatus!
		attempts: [WebhookDeliveryAttempt!]!
		nextAttemptAt: DateTime
		createdAt: DateTime!
	}
	type WebhookEventType { type: String! description: String! schema: JSON! example: JSON! }
	type WebhookTestResult { status: Int durationMs: Float! body: String error: String }
	type WebhookReplay { firstSequence: Float lastSequence: Float }
	input CreateWebhookInput { endpoint: String! ${settings} }
	"Omitted fields keep their value; null clears."
	input UpdateWebhookInput { id: ID! endpoint: String ${settings} }
	input WebhookIdInput { id: ID! }
	input ReplayWebhookDeliveryInput { id: ID! }
	"By the machine's clock, both inclusive; until defaults to now."
	input ReplayWebhookInput { id: ID! since: DateTime! until: DateTime }
	extend type Query {
		webhook(id: ID!): Webhook
		webhookEventTypes: [WebhookEventType!]!
		webhookDelivery(id: ID!): WebhookDelivery
	}
	extend type Mutation {
		createWebhook(input: CreateWebhookInput!): Webhook
		updateWebhook(input: UpdateWebhookInput!): Webhook
		deleteWebhook(input: WebhookIdInput!): Webhook
		"For a day both secrets sign."
		rotateWebhookSecret(input: WebhookIdInput!): Webhook
		"Sends an event of type webhook.test immediately and returns the receiver's response."
		testWebhook(input: WebhookIdInput!): WebhookTestResult
		"Replays an event."
		replayWebhookDelivery(input: ReplayWebhookDeliveryInput!): WebhookDelivery
		"Replays the events of a period."
		replayWebhook(input: ReplayWebhookInput!): WebhookReplay
	}
`;

const list: List = {
	field: "webhooks",
	type: "Webhook",
	scope: "WEBHOOK:READ",
	source: sql`${webhooks}`,
	id: webhooks.id,
	within: ({ actor }) => eq(webhooks.environmentId, actor.environmentId),
	fields: {
		id: text(webhooks.id),
		endpoint: text(webhooks.endpoint),
		description: text(webhooks.description),
		status: choice("WebhookStatus", webhooks.status),
		createdAt: date(webhooks.createdAt),
	},
	rows: (work, ids) => new Map(webhooksByIds(work, ids).map((row) => [row.id, viewWebhook(work, row)])),
};

const read = "WEBHOOK:READ";
const write = { scope: "WEBHOOK:WRITE" } as const;
const byId = { ...write, path: { id: "id" }, params: WebhookPath.properties } as const;

/** Filtered by webhook with an index; otherwise scanned, newest first. */
const deliveryList: List = {
	field: "webhookDeliveries",
	type: "WebhookDelivery",
	scope: "WEBHOOK:READ",
	source: sql`${deliveries}`,
	id: deliveries.id,
	within: ({ actor }) => eq(deliveries.environmentId, actor.environmentId),
	fields: {
		id: text(deliveries.id),
		webhookId: text(deliveries.webhookId),
		messageId: text(deliveries.messageId),
		type: text(deliveries.type),
		status: choice("WebhookDeliveryStatus", deliveries.status),
		createdAt: date(deliveries.createdAt),
	},
	rows: (work, ids) => new Map(deliveriesByIds(work, ids).map((row) => [row.id, viewDelivery(row)])),
};

/** The scalar has parsed the dates; the body takes them as text. */
const readRange = ({ since, until, ...input }: Input): Input => ({
	...input,
	since: isoText(since),
	...(until !== undefined && until !== null && { until: isoText(until) }),
});

export const webhooksGraphql: GraphqlArea = {
	typeDefs,
	types: {
		Webhook: fieldsOf<Webhook>({ scope: read, open: ["id"], fields: {} }),
		WebhookDelivery: fieldsOf<Delivery>({ scope: read, open: ["id"], fields: {} }),
	},
	queries: {
		webhook: {
			scope: read,
			resolve: (args, { work }) => viewWebhook(work, getWebhook(work, textOf(args, "id") ?? "")),
		},
		webhookEventTypes: { scope: read, resolve: viewEventTypes },
		webhookDelivery: {
			scope: read,
			resolve: (args, { work }) => viewDelivery(getDelivery(work, textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		createWebhook: operation({
			...{ ...write, body: WebhookCreate },
			run: (work, body, _, outgoing) =>
				viewWithSecret(work, createWebhook(work, body, outgoing.allowPrivateWebhooks), outgoing.folderSecret),
		}),
		updateWebhook: operation({
			...{ ...byId, body: WebhookUpdate },
			run: (work, body, { id }, outgoing) =>
				viewWebhook(work, updateWebhook(work, id, body, outgoing.allowPrivateWebhooks)),
		}),
		deleteWebhook: operation({
			...{ ...byId, body: NoBody },
			run: (work, _, { id }) => viewWebhook(work, deleteWebhook(work, id)),
		}),
		rotateWebhookSecret: operation({
			...{ ...byId, body: NoBody },
			run: (work, _, { id }, outgoing) => viewWithSecret(work, rotateSecret(work, id), outgoing.folderSecret),
		}),
		testWebhook: {
			...write,
			perform: ({ input }, actor, services) => testSend(services, actor, (input as { id: string }).id),
		},
		replayWebhookDelivery: operation({
			...{ ...byId, body: NoBody },
			run: (work, _, { id }) => viewDelivery(replayDelivery(work, id)),
		}),
		replayWebhook: operation({
			...{ ...byId, read: readRange, body: ReplayRange },
			run: (work, body, { id }) => replayRange(work, id, body),
		}),
	},
	lists: [list, deliveryList],
};
