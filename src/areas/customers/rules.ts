import { fail } from "../../kernel/errors";

/** An archived customer gets nothing new; it keeps what it had, for reading. */
export function assertNotArchived(customer: { refId: string; archivedAt: unknown }): void {
	if (customer.archivedAt !== null)
		throw fail("EntityIsArchivedError", `The customer '${customer.refId}' is archived; unarchive it first.`);
}

/** The built-in billing provider's id of a customer, made of a fresh row id. */
export const builtInBillingId = (id: string): string => `cus_${id.replaceAll("-", "")}`;
