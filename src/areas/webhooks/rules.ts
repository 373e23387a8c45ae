import { leadsInside } from "../../kernel/addresses";
import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { OutboxEventRow } from "../outbox/table";
import type { WebhookRow } from "./table";

/** A rotated secret signs for one more day, together with the new one. */
export const formerSecretMs = 24 * 60 * 60 * 1000;

/** The maximum number of endpoints of an environment. */
export const webhooksMax = 50;

/** Returns the normalized address. Throws BadUserInput if Tollgate cannot send to it. */
export function parseEndpoint(text: string, allowPrivate: boolean): string {
	const url = URL.parse(text);
	if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
		throw fail(
			"BadUserInput",
			"/endpoint: must be an http or https URL without a user, such as https://example.com/hook.",
		);
	if (!allowPrivate && leadsInside(url))
		throw fail(
			"BadUserInput",
			"/endpoint: leads to this machine or a private network. To allow this, start the server with TOLLGATE_WEBHOOKS_ALLOW_PRIVATE=1.",
		);
	url.hash = "";
	return url.href;
}

/** Whether an endpoint subscribes to an event. */
export function isSubscribedTo(
	{ environmentId, eventTypes, configuration }: WebhookRow,
	event: Pick<OutboxEventRow, "environmentId" | "type" | "payload">,
): boolean {
	if (event.environmentId !== environmentId) return false;
	if (eventTypes.length > 0 && !eventTypes.includes(event.type)) return false;
	const thresholds = configuration["entitlement.usage_exceeded"]?.thresholds;
	if (event.type !== "entitlement.usage_exceeded" || !thresholds) return true;
	const usage: { thresholdType: string; threshold: number } = JSON.parse(event.payload);
	return usage.thresholdType === "PERCENT" && thresholds.includes(usage.threshold);
}

/** Returns the time before which rows have expired, by the machine's clock. */
export const expiryTime = (now: Instant, keepDays: number): Instant =>
	(now - keepDays * 24 * 60 * 60 * 1000) as Instant;
