import type { JobThread } from "../../../tasks/job";
import { systemActor } from "../../access/rules.actors";
import { hasSubscriberAnywhere } from "../../webhooks/operations.subscribers";
import { entitlementsTold } from "./events.usage";
import { findEntitlementChange, forgetEntitlementChange } from "./store.changes";

/** Our choice: how soon after a change it is told what it has come to. */
const lookEveryMs = 250;

const everywhere = systemActor("");

/**
 * The job that tells what customers are entitled to after something has changed it: each in the transaction that forgets that
 * it was to be told, so that it is told once, whatever happens meanwhile. Changes that come together are told as one.
 * Answers when to look again; undefined while no endpoint asks for it.
 */
export async function tellEntitlementChanges({
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
				forgetEntitlementChange(work, changed);
				entitlementsTold(work, changed);
			});
		} while (!turns.isOver());
	}
}
