import { parseInstant } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { enqueueTask } from "../../../tasks/operations";
import type { TaskState } from "../../../tasks/table";
import { customersByRefs } from "../../customers/operations";
import { assertKnownIntegration } from "../../customers/rules";
import type { SubscriptionImport, SubscriptionImportItem } from "./schema";

/** The most unknown customers that an error message names (docs/interface/subscriptions.md). */
const namedMax = 10;

/**
 * Checks an import as a whole and queues its task. Imports of one environment run one after the other in the order of
 * their requests, so that a large migration can be sent in batches. (The reference service answers
 * ImportAlreadyInProgress.) Throws BadUserInput for a duplicate id, IntegrationNotFound, CustomerNotFound.
 */
export function importSubscriptions(work: Work, { subscriptions, integrationId }: SubscriptionImport): TaskState {
	assertItems(subscriptions);
	assertKnownIntegration(integrationId);
	const customers = customersByRefs(work, [...new Set(subscriptions.map(({ customerId }) => customerId))]);
	const unknown = subscriptions.flatMap(({ customerId }, at) =>
		customers.has(customerId) ? [] : `'${customerId}' (item ${at})`,
	);
	if (unknown.length > 0)
		throw fail(
			"CustomerNotFound",
			`${unknown.length} items name customers that do not exist: ${unknown.slice(0, namedMax).join(", ")}${unknown.length > namedMax ? ", …" : ""}. Provision them first.`,
		);
	return enqueueTask(work, {
		type: "IMPORT_SUBSCRIPTIONS",
		payload: { subscriptions },
		totalCount: subscriptions.length,
	});
}

function assertItems(items: readonly SubscriptionImportItem[]): void {
	const firstAt = new Map<string, number>();
	items.forEach(({ id, startDate, endDate }, at) => {
		const earlier = firstAt.get(id);
		if (earlier !== undefined)
			throw fail(
				"BadUserInput",
				`body/subscriptions/${at}/id: '${id}' is in item ${earlier} already; each id may be there once.`,
			);
		firstAt.set(id, at);
		const start = startDate === undefined ? undefined : parseInstant(startDate);
		const end = endDate ? parseInstant(endDate) : undefined;
		if (start !== undefined && end !== undefined && end <= start)
			throw fail("BadUserInput", `body/subscriptions/${at}/endDate: must lie after startDate.`);
	});
}
