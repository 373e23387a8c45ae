import type { Actor } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { refusalOf } from "../ingest/operations";
import type { CancelOrder } from "../log/cancellation";
import type { CanceledEvents, EventCancel } from "./schema";

/** Cancels events; resolves once that is on disk. Refuses all if one of them is not in this environment's log (404). */
export async function cancelEvents(
	{ transactions, events, eventIds }: Pick<Services, "transactions" | "events" | "eventIds">,
	{ id: actorId, environmentId }: Actor,
	input: EventCancel,
): Promise<CanceledEvents> {
	const order: CancelOrder = {
		actorId,
		events: input.events.map((event) =>
			"id" in event ? { position: eventIds.positionOf(environmentId, event.id) ?? null } : event,
		),
	};
	const result = await events.send({
		environmentId,
		now: transactions.now(environmentId),
		unknownCustomers: "refuse",
		text: JSON.stringify(order),
		format: "cancellation",
	});
	if (result.kind !== "canceled") throw refusalOf(result);
	const { canceled, alreadyCanceled } = result;
	return { canceled, alreadyCanceled };
}
