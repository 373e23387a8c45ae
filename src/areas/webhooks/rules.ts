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

/** Three at once, then at growing pauses, up to three days after the first. Milliseconds after the attempt before. */
const pausesMs = [0, 0, 30, 120, 600, 1800, 3600, 3 * 3600, 6 * 3600, 12 * 3600, 24 * 3600, 24 * 3600].map(
	(seconds) => seconds * 1000,
);

/** Our choice: pauses are up to a fifth longer, so that what failed together does not come back together. */
const jitter = 0.2;

/** When what has failed so often is tried again; null: it has failed for good. `random` is from 0 to 1. */
export function nextAttemptAt(attempts: number, now: Instant, random: number): Instant | null {
	const pause = pausesMs[attempts - 1];
	return pause === undefined ? null : ((now + Math.round(pause * (1 + jitter * random))) as Instant);
}

/** Our choice: an endpoint at which nothing has succeeded for so long is disabled. Longer than one event is tried. */
export const failingMsMax = 5 * 24 * 60 * 60 * 1000;

/** What is older is forgotten. By the machine's clock, as it is the machine's room. */
export const keptSince = (now: Instant, keepDays: number): Instant => (now - keepDays * 24 * 60 * 60 * 1000) as Instant;
