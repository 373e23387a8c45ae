import type { Static } from "@sinclair/typebox";
import { toIso } from "../../kernel/clock";
import { newUuidV7 } from "../../kernel/ids";
import type { Actor } from "../../kernel/work";
import type { Services } from "../../server/context";
import { getWebhook } from "./operations";
import type { WebhookTestResult } from "./schema";
import { Sender } from "./sending";

/** Sends an event of type `webhook.test` immediately and returns the outcome. Throws 404 for an unknown webhook. */
export async function testSend(
	{ transactions, outgoing }: Services,
	actor: Actor,
	id: string,
): Promise<Static<typeof WebhookTestResult>> {
	const { folderSecret, allowPrivateWebhooks: allowPrivate } = outgoing;
	const sender = new Sender({ folderSecret, allowPrivate, now: () => transactions.now("") });
	const webhook = transactions.read(actor, (work) => getWebhook(work, id));
	const messageId = newUuidV7();
	const { accountId, environmentId } = actor;
	const timestamp = toIso(transactions.now(environmentId));
	const body = JSON.stringify({ type: "webhook.test", messageId, accountId, environmentId, timestamp });
	const { at: _, ...result } = await sender.send(webhook, { messageId, body });
	return result;
}
