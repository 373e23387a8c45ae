import type { Work } from "../../kernel/work";
import { customersByIds } from "../customers/operations";
import { promotionalEntitlementTold } from "./events";
import { selectByIds } from "./store";

/** Tells that what a customer was given is over, where it was neither taken back nor replaced before. */
export function tellExpired(work: Work, id: string): void {
	const [grant] = selectByIds(work, [id]);
	if (!grant || grant.revokedAt !== null || grant.endAt === null || grant.endAt > work.now) return;
	const customer = customersByIds(work, [grant.customerId]).get(grant.customerId);
	if (customer) promotionalEntitlementTold(work, "expired", customer, grant);
}
