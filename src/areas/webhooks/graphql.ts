import { fieldsOf, type GraphqlArea, textOf } from "../../graphql/area";
import { mutationsOf } from "../../graphql/input/mutations";
import { NoBody, operation } from "../../graphql/input/operation";
import { columns, tableList } from "../../graphql/lists/list";
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
import {
	Delivery,
	DeliveryStatus,
	EventTypeView,
	ReplayRange,
	Webhook,
	WebhookCreate,
	WebhookPath,
	WebhookStatus,
	WebhookTestResult,
	WebhookUpdate,
} from "./schema";
import { webhooks } from "./table";
import { deliveries } from "./table.deliveries";
import { testSend } from "./test-send";
import { viewDelivery, viewEventTypes, viewWebhook, viewWithSecret } from "./view";

const settings = `
	description: String
	"The types of events that the endpoint receives. Omitted or empty: all of them."
	eventLogTypes: [String!]
	configuration: JSON status: WebhookStatus sendsSecret: Boolean
`;

const schemas = { WebhookStatus, DeliveryStatus, Webhook, Delivery, EventTypeView, WebhookTestResult };

const typeDefs = `
	enum WebhookStatus from WebhookStatus
	enum WebhookDeliveryStatus from DeliveryStatus
	"An endpoint that receives events."
	type Webhook from Webhook {
		*
		"Only in the response that created or rotated the secret."
		secretKey
		formerSecretUntil sendsSecret status
		"The first failure since the last successful delivery. Null when the last delivery succeeded."
		failingSince
		createdAt updatedAt
	}
	type WebhookDelivery from Delivery {
		id webhookId as ID *
		"The sequence number of the event in the feed."
		sequence as Float
		status attempts as WebhookDeliveryAttempt { at as DateTime * } nextAttemptAt createdAt
	}
	type WebhookEventType from EventTypeView
	type WebhookTestResult from WebhookTestResult
	type WebhookReplay { firstSequence: Float lastSequence: Float }
	input CreateWebhookInput { endpoint: String! ${settings} }
	"Omitted members stay. Null clears."
	input UpdateWebhookInput { id: ID! endpoint: String ${settings} }
	input WebhookIdInput { id: ID! }
	input ReplayWebhookDeliveryInput { id: ID! }
	"Times of the machine's clock, both inclusive. until defaults to now."
	input ReplayWebhookInput { id: ID! since: DateTime! until: DateTime }
`;

const scope = "WEBHOOK:READ";

const list = tableList(webhooks, {
	...{ field: "webhooks", type: "Webhook", scope },
	fields: columns(webhooks, "id endpoint description status:WebhookStatus createdAt"),
	rows: (work, ids) => new Map(webhooksByIds(work, ids).map((row) => [row.id, viewWebhook(work, row)])),
});

/** An index finds the deliveries of one webhook; others are scanned, newest first. */
const deliveryList = tableList(deliveries, {
	...{ field: "webhookDeliveries", type: "WebhookDelivery", scope },
	fields: columns(deliveries, "id webhookId messageId type status:WebhookDeliveryStatus createdAt"),
	rows: (work, ids) => new Map(deliveriesByIds(work, ids).map((row) => [row.id, viewDelivery(row)])),
});

const writeScope = "WEBHOOK:WRITE";
const path = { id: "id" } as const;
const params = WebhookPath.properties;
const write = mutationsOf({ returns: "Webhook", scope: writeScope, path, params, input: "WebhookIdInput" });

export const webhooksGraphql: GraphqlArea = {
	schemas,
	typeDefs,
	types: {
		Webhook: fieldsOf<Webhook>({ scope, open: ["id"], fields: {} }),
		WebhookDelivery: fieldsOf<Delivery>({ scope, open: ["id"], fields: {} }),
	},
	queries: {
		webhook: {
			...{ signature: "(id: ID!): Webhook", scope },
			resolve: (args, { work }) => viewWebhook(work, getWebhook(work, textOf(args, "id") ?? "")),
		},
		webhookEventTypes: { signature: ": [WebhookEventType!]!", scope, resolve: viewEventTypes },
		webhookDelivery: {
			...{ signature: "(id: ID!): WebhookDelivery", scope },
			resolve: (args, { work }) => viewDelivery(getDelivery(work, textOf(args, "id") ?? "")),
		},
	},
	mutations: {
		createWebhook: operation({
			...{ signature: "(input: CreateWebhookInput!): Webhook", scope: writeScope, body: WebhookCreate },
			run: (work, body, _, outgoing) =>
				viewWithSecret(work, createWebhook(work, body, outgoing.allowPrivateWebhooks), outgoing.folderSecret),
		}),
		updateWebhook: operation({
			...{ signature: "(input: UpdateWebhookInput!): Webhook", scope: writeScope, path, params, body: WebhookUpdate },
			run: (work, body, { id }, outgoing) =>
				viewWebhook(work, updateWebhook(work, id, body, outgoing.allowPrivateWebhooks)),
		}),
		deleteWebhook: write.act((work, id) => viewWebhook(work, deleteWebhook(work, id))),
		rotateWebhookSecret: operation({
			...{ signature: "(input: WebhookIdInput!): Webhook", scope: writeScope, path, params, body: NoBody },
			comment: "Both secrets sign for a day.",
			run: (work, _, { id }, outgoing) => viewWithSecret(work, rotateSecret(work, id), outgoing.folderSecret),
		}),
		testWebhook: {
			...{ signature: "(input: WebhookIdInput!): WebhookTestResult", scope: writeScope },
			comment: "Sends an event of type webhook.test at once and returns the endpoint's response.",
			perform: ({ input }, actor, services) => testSend(services, actor, (input as { id: string }).id),
		},
		replayWebhookDelivery: write.act((work, id) => viewDelivery(replayDelivery(work, id)), {
			...{ input: "ReplayWebhookDeliveryInput", returns: "WebhookDelivery", comment: "Sends one event again." },
		}),
		replayWebhook: write.change("ReplayWebhookInput", ReplayRange, replayRange, {
			...{ returns: "WebhookReplay", dropsNulls: true, comment: "Sends the events of a range of time again." },
		}),
	},
	lists: [list, deliveryList],
};
