import type { Work } from "../../kernel/work";
import { customersByIds } from "../customers/operations";
import { writeGrantEvent } from "./events";
import { selectByIds } from "./store";

/** Writes the event of an expired grant that was neither revoked nor replaced. */
export function emitExpired(work: Work, id: string): void {
	const [grant] = selectByIds(work, [id]);
	if (!grant || grant.revokedAt !== null || grant.endAt === null || grant.endAt > work.now) return;
	const customer = customersByIds(work, [grant.customerId]).get(grant.customerId);
	if (customer) writeGrantEvent(work, "expired", customer, grant);
}
