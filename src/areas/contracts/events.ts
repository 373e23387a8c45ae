import { toIsoOrNull } from "../../kernel/clock";
import type { Work } from "../../kernel/work";
import { customersByIds } from "../customers/operations";
import { writeEvent } from "../outbox/operations";
import type { ContractRow } from "./table";

/**
 * Writes one event at the end of the transaction, with the contract as it is then. `before` is undefined for a new
 * contract; `now` returns undefined if it was rolled back.
 */
export function writeEventsAtEnd(
	work: Work,
	id: string,
	before: ContractRow | undefined,
	now: () => ContractRow | undefined,
): void {
	work.atEnd(`contract ${id}`, () => {
		const row = now();
		if (!row || (before && Bun.deepEquals(before, row))) return;
		const isArchived = row.archivedAt !== null && before?.archivedAt === null;
		writeEvent(work, before ? (isArchived ? "contract.archived" : "contract.updated") : "contract.created", id, {
			id: row.refId,
			entityId: row.id,
			name: row.name,
			poNumber: row.poNumber,
			customer: { id: customersByIds(work, [row.customerId]).get(row.customerId)?.refId ?? "" },
			billingState: row.billingState,
			activationStartDate: toIsoOrNull(row.activationStartAt),
			activationEndDate: toIsoOrNull(row.activationEndAt),
			archivedAt: toIsoOrNull(row.archivedAt),
		});
	});
}
