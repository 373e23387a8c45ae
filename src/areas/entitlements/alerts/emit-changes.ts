import type { JobThread } from "../../../tasks/job";
import { systemActor } from "../../access/rules.actors";
import { hasSubscriberAnywhere } from "../../webhooks/operations.subscribers";
import { emitEntitlementsEvent } from "./events.usage";
import { deleteEntitlementChange, findEntitlementChange } from "./store.changes";

/** The pause before the job looks for changed entitlements. */
const lookEveryMs = 250;

const everywhere = systemActor("");

/**
 * The job that emits changed entitlements. The same transaction removes the mark, so each change is emitted once. Changes of a
 * customer in quick succession are emitted as one. Returns the pause until the next run; undefined if no endpoint subscribes.
 */
export async function emitEntitlementChanges({
	transactions,
	turns,
	isStopping,
}: JobThread): Promise<number | undefined> {
	for (;;) {
		await turns.next();
		if (isStopping()) return undefined;
		do {
			const changed = transactions.read(everywhere, findEntitlementChange);
			if (!changed) {
				const isAsked = transactions.read(everywhere, (work) => hasSubscriberAnywhere(work, "entitlements.updated"));
				return isAsked ? lookEveryMs : undefined;
			}
			transactions.write(systemActor(changed.environmentId), (work) => {
				deleteEntitlementChange(work, changed);
				emitEntitlementsEvent(work, changed);
			});
		} while (!turns.isOver());
	}
}
