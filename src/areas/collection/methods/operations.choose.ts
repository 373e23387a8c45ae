import { fail } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { getCustomer } from "../../customers/operations";
import { assertNotArchived } from "../../customers/rules";
import type { CustomerRow } from "../../customers/table";
import { connectionsByIds } from "../connections/operations";
import { methodsByIds, setDefault } from "./operations";
import { nextDetachAt } from "./rules";
import { changeMethod, listDetached } from "./store";
import type { PaymentMethodRow } from "./table";

export { listDetached };

export interface OwnMethod {
	readonly customer: CustomerRow;
	readonly method: PaymentMethodRow;
}

/** Operations of later areas. */
export interface MethodOperations {
	/** Removes a saved method. It needs the subscriptions that are charged to it. */
	removeMethod(work: Work, customerRef: string, methodId: string): OwnMethod;
}

/** Returns a saved method of a customer. Throws CustomerNotFound, EntityIsArchivedError, PaymentMethodNotFoundError. */
export function getOwnMethod(work: Work, customerRef: string, methodId: string): OwnMethod {
	const customer = getCustomer(work, customerRef);
	assertNotArchived(customer);
	const method = methodsByIds(work, [methodId]).get(methodId);
	if (method?.customerId !== customer.id || method.detachedAt !== null)
		throw fail(
			"PaymentMethodNotFoundError",
			`The customer '${customerRef}' has no saved payment method '${methodId}'; see GET /api/v1/customers/{id}/payment-methods.`,
		);
	return { customer, method };
}

/**
 * Makes a saved method the customer's default one, which Tollgate charges. Throws the codes of `getOwnMethod`, and
 * EntityIsArchivedError if the connection of the method is archived.
 */
export function chooseDefault(work: Work, customerRef: string, methodId: string): OwnMethod {
	const { customer, method } = getOwnMethod(work, customerRef, methodId);
	if (connectionsByIds(work, [method.connectionId]).get(method.connectionId)?.archivedAt !== null)
		throw fail(
			"EntityIsArchivedError",
			`The connection of the payment method '${methodId}' is archived; choose a method of another connection.`,
		);
	return { customer: setDefault(work, customer, method), method };
}

/** Marks a method as removed. The collector deletes it at the provider. */
export function markRemoved(work: Work, { id }: PaymentMethodRow): PaymentMethodRow {
	work.wake("collector");
	return changeMethod(work, id, { detachedAt: work.now, dueAt: work.machineNow });
}

/** The end of a call that deletes a method at the provider. */
export type DetachReport = { readonly methodId: string; readonly outcome: "DONE" | "LATER" };

/** Applies the end of a call that deletes a method: Tollgate calls again later unless the provider has answered. */
export function applyDetachment(work: Work, { methodId, outcome }: DetachReport): null {
	const method = methodsByIds(work, [methodId]).get(methodId);
	if (!method || method.dueAt === null) return null;
	changeMethod(work, methodId, { dueAt: outcome === "DONE" ? null : nextDetachAt(work.machineNow) });
	return null;
}

/** Returns in how many milliseconds a method is to be deleted at a provider; undefined if none is. */
export const msUntilDetachment = (work: Work): number | undefined => {
	const [first] = listDetached(work, 1);
	return first?.dueAt == null ? undefined : Math.max(0, first.dueAt - work.machineNow);
};
