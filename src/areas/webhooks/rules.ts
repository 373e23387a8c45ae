import { leadsInside } from "../../kernel/addresses";
import type { Instant } from "../../kernel/clock";
import { fail } from "../../kernel/errors";
import type { OutboxEventRow } from "../outbox/table";
import type { WebhookRow } from "./table";

/** Our choice: a secret that was rotated signs for another day beside the new one. */
export const formerSecretMs = 24 * 60 * 60 * 1000;

/** Our choice: as many endpoints of one environment as anybody has systems to tell. */
export const webhooksMax = 50;

/** As it is kept. InvalidArgumentError for what is no address that can be called. */
export function endpointOf(text: string, allowPrivate: boolean): string {
	const url = URL.parse(text);
	if (!url || !/^https?:$/.test(url.protocol) || url.username !== "" || url.password !== "")
		throw fail("BadUserInput", "/endpoint: must be an address such as https://example.com/hook, without a user.");
	if (!allowPrivate && leadsInside(url))
		throw fail(
			"BadUserInput",
			"/endpoint: leads to this machine or a private network; where that is wanted, the server is started with TOLLGATE_WEBHOOKS_ALLOW_PRIVATE=1.",
		);
	url.hash = "";
	return url.href;
}

/** Whether an endpoint is told of an event. */
export function wants(
	{ environmentId, eventTypes, configuration }: WebhookRow,
	event: Pick<OutboxEventRow, "environmentId" | "type" | "payload">,
): boolean {
	if (event.environmentId !== environmentId) return false;
	if (eventTypes.length > 0 && !eventTypes.includes(event.type)) return false;
	const thresholds = configuration["entitlement.usage_exceeded"]?.thresholds;
	if (event.type !== "entitlement.usage_exceeded" || !thresholds) return true;
	const told: { thresholdType: string; threshold: number } = JSON.parse(event.payload);
	return told.thresholdType === "PERCENT" && thresholds.includes(told.threshold);
}

/** What is older is forgotten. By the machine's clock, as it is the machine's room. */
export const keptSince = (now: Instant, keepDays: number): Instant => (now - keepDays * 24 * 60 * 60 * 1000) as Instant;
