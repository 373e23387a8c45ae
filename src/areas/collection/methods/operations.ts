import { assert, fail } from "../../../kernel/errors";
import type { Page } from "../../../kernel/page";
import type { Cause, Work } from "../../../kernel/work";
import { getCustomer } from "../../customers/operations";
import { storeSavedMethod } from "../../customers/operations.payment";
import { assertNotArchived } from "../../customers/rules";
import type { CustomerRow } from "../../customers/table";
import { hasDunning } from "../../dunning/policies/operations";
import { issuerOf } from "../../legal-entities/operations";
import { scheduleNotice } from "../../outbox/operations";
import { planCall } from "../calls/operations";
import type { CallOutcome } from "../calls/table";
import { chooseConnection, connectionsByIds, listActiveConnections } from "../connections/operations";
import type { ProviderConnectionRow } from "../connections/table";
import type { SavedMethod } from "../providers/provider";
import { cardOfMethod } from "./rules";
import type { MethodAttach, MethodListQuery } from "./schema";
import { findMethodByRef, pageMethods, saveMethod, selectMethods } from "./store";
import type { PaymentMethodRow } from "./table";

export const methodsByIds = (work: Work, ids: readonly string[]): Map<string, PaymentMethodRow> =>
	new Map(selectMethods(work, ids).map((row) => [row.id, row]));

/** Returns the saved methods of a customer, newest first. Throws CustomerNotFound. */
export function listMethods(work: Work, customerRef: string, query: MethodListQuery) {
	const customer = getCustomer(work, customerRef);
	const page: Page<PaymentMethodRow> = pageMethods(work, customer.id, query);
	return { customer, page };
}

/** The content of a call that looks up a method. Ids are row ids. */
export interface PlannedMethod {
	readonly customerId: string;
	readonly connectionId: string;
	readonly methodRef: string;
}

/**
 * Plans the call that looks up a method of the provider. Throws CustomerNotFound, EntityIsArchivedError, BillingIntegrationMissing without
 * a connection, IntegrationNotFound, InvalidArgumentError.
 */
export function planAttachment(
	work: Work,
	{ customerRef, attach, cause }: { customerRef: string; attach: MethodAttach; cause: Cause },
): string {
	Object.assign(work.cause, cause);
	const customer = getCustomer(work, customerRef);
	assertNotArchived(customer);
	const connection = chooseConnection(work, attach.connectionId);
	assertOwn(work, customer, connection, attach.paymentMethodId);
	const request: PlannedMethod = {
		...{ customerId: customer.id, connectionId: connection.id, methodRef: attach.paymentMethodId },
	};
	return planCall(work, { kind: "LOOK_METHOD", subjectId: customer.id, request: { ...request } }).id;
}

function assertOwn(work: Work, customer: CustomerRow, { id }: ProviderConnectionRow, ref: string): void {
	const known = findMethodByRef(work, id, ref);
	if (!known) return;
	if (known.customerId !== customer.id)
		throw fail(
			"InvalidArgumentError",
			`'paymentMethodId': '${ref}' is saved by another customer; send one of this customer.`,
		);
	if (known.detachedAt !== null)
		throw fail(
			"InvalidArgumentError",
			`'paymentMethodId': '${ref}' was removed; save it again on the provider's page.`,
		);
}

/** Applies the look-up of a method: the customer's default becomes the method that the provider describes. */
export function applyMethodLook(
	work: Work,
	customer: CustomerRow,
	{ connectionId, methodRef }: PlannedMethod,
	method: SavedMethod | "NOT_FOUND",
): CallOutcome {
	if (method === "NOT_FOUND")
		return {
			isDone: false,
			code: "PaymentMethodNotFoundError",
			message: `The provider has no saved payment method '${methodRef}'. Nothing was stored; send the id of a method that belongs to a customer there.`,
		};
	storeMethod(work, customer, connectionId, method);
	return { isDone: true };
}

/** Stores a method that the customer has saved at a provider, and makes it the default one. */
export function storeMethod(
	work: Work,
	customer: CustomerRow,
	connectionId: string,
	method: SavedMethod,
): PaymentMethodRow | undefined {
	const known = findMethodByRef(work, connectionId, method.ref);
	if (customer.archivedAt !== null || (known && known.customerId !== customer.id)) return undefined;
	// A late look-up does not bring back a method that was removed.
	if (known && known.detachedAt !== null) return undefined;
	const row = saveMethod(work, { customerId: customer.id, connectionId }, method);
	setDefault(work, customer, row);
	return row;
}

/** Makes a method the one that Tollgate charges. */
export function setDefault(work: Work, customer: CustomerRow, method: PaymentMethodRow): CustomerRow {
	const connection = connectionsByIds(work, [method.connectionId]).get(method.connectionId);
	assert(connection, "the connection of a method is there");
	// Tollgate charges invoices that wait for a new method as a step of this instant.
	if (hasDunning(work)) scheduleNotice(work, "dunning.method", customer.id, work.now);
	return storeSavedMethod(work, customer, cardOfMethod(method), {
		integrationId: method.connectionId,
		vendorIdentifier: connection.kind,
	});
}

/** Returns the saved default method of a customer if its connection collects for that legal entity (by row id). */
export function findChargeable(
	work: Work,
	{ defaultPaymentMethod, paymentMethodSource }: CustomerRow,
	legalEntityId: string | null,
): PaymentMethodRow | undefined {
	if (paymentMethodSource === null || !defaultPaymentMethod?.billingId) return undefined;
	const method = findMethodByRef(work, paymentMethodSource.integrationId, defaultPaymentMethod.billingId);
	return method && collectsFor(work, method, legalEntityId) ? method : undefined;
}

/** Returns the saved default method. Throws PaymentMethodNotFoundError. */
export function findDefault(
	work: Work,
	{ refId, defaultPaymentMethod, paymentMethodSource }: CustomerRow,
): PaymentMethodRow {
	const ref = defaultPaymentMethod?.billingId;
	const method = paymentMethodSource && ref ? findMethodByRef(work, paymentMethodSource.integrationId, ref) : undefined;
	if (!method) throw fail("PaymentMethodNotFoundError", `The customer '${refId}' has no saved payment method.`);
	return method;
}

/** Returns whether a method was not removed, and its connection is active and collects for that legal entity (by row id). */
export function collectsFor(
	work: Work,
	{ connectionId, detachedAt }: PaymentMethodRow,
	legalEntityId: string | null,
): boolean {
	if (detachedAt !== null) return false;
	const connection = connectionsByIds(work, [connectionId]).get(connectionId);
	if (!connection || connection.archivedAt !== null) return false;
	const { legalEntityRefId } = connection;
	return legalEntityRefId === null || legalEntityRefId === (legalEntityId ?? issuerOf(work, null).entity.id);
}

/**
 * Throws unless Tollgate can charge the customer for that legal entity (by row id): BillingIntegrationMissing without a connection,
 * PaymentMethodNotFoundError without a saved method.
 */
export function assertChargeable(work: Work, customer: CustomerRow, legalEntityId: string | null, where: string): void {
	if (findChargeable(work, customer, legalEntityId)) return;
	if (listActiveConnections(work).length === 0)
		throw fail(
			"BillingIntegrationMissing",
			`${where}: no payment provider is connected to charge; use INVOICE, or connect one by POST /api/v1/provider-connections.`,
		);
	throw fail(
		"PaymentMethodNotFoundError",
		`${where}: '${customer.refId}' has no saved payment method at a connection that collects for this legal entity; save one by POST /api/v1/customers/{id}/payment-methods/setup, or use INVOICE.`,
	);
}
