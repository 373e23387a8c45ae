import type { Actor } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import type { LookUpOrder } from "../log/cancellation";
import { namedByKey } from "./operations";
import type { EventListQuery } from "./schema";

/**
 * Returns the positions of the events with a customer's key, by the fingerprints that also find duplicates. Null if
 * they must be searched for instead, for example because the thread that writes the log is busy.
 */
export async function lookUpEvents(
	{ transactions, events }: Pick<Services, "transactions" | "events">,
	actor: Actor,
	query: EventListQuery,
): Promise<readonly number[] | null> {
	const named = transactions.read(actor, (work) => namedByKey(work, query));
	if (!named) return null;
	const order: LookUpOrder = { events: named };
	const result = await events.send({
		environmentId: actor.environmentId,
		now: transactions.now(actor.environmentId),
		unknownCustomers: "refuse",
		text: JSON.stringify(order),
		format: "look-up",
	});
	return result.kind === "found" ? result.positions : null;
}
