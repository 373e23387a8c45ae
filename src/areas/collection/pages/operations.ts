import { HttpRefusal } from "../../../http/refusal";
import type { Cause, Work } from "../../../kernel/work";
import { getCustomer, getCustomerById } from "../../customers/operations";
import { assertNotArchived } from "../../customers/rules";
import { planCall } from "../calls/operations";
import { chooseConnection } from "../connections/operations";
import { storeMethod } from "../methods/operations";
import type { OpenedPage, Provider } from "../providers/provider";
import { nextLookAt } from "./rules";
import type { MethodSetup } from "./schema";
import { findCustomerRef, findPage, findPageByRef, insertPage, listLookedPages, savePage } from "./store";
import type { MethodPageRow } from "./table";

export { findCustomerRef, findPageByRef, listLookedPages };

/** The content of a call that opens a page. Ids are row ids. */
export interface PlannedPage {
	readonly customerId: string;
	readonly connectionId: string;
	readonly successUrl: string;
	readonly cancelUrl: string;
}

/**
 * Plans the call that opens a page on which the customer saves a payment method. Throws CustomerNotFound, EntityIsArchivedError,
 * BillingIntegrationMissing without a connection, IntegrationNotFound, InvalidArgumentError.
 */
export function planPage(
	work: Work,
	{ customerRef, setup, cause }: { customerRef: string; setup: MethodSetup; cause: Cause },
): { readonly callId: string; readonly pageId: string } {
	Object.assign(work.cause, cause);
	const customer = getCustomer(work, customerRef);
	assertNotArchived(customer);
	const { connectionId, successUrl, cancelUrl } = setup;
	const connection = chooseConnection(work, connectionId);
	const pageId = work.newId();
	const request: PlannedPage = { customerId: customer.id, connectionId: connection.id, successUrl, cancelUrl };
	return { callId: planCall(work, { kind: "OPEN_PAGE", subjectId: pageId, request: { ...request } }).id, pageId };
}

/** Stores a page that the provider has opened. */
export function storePage(work: Work, pageId: string, planned: PlannedPage, opened: OpenedPage): void {
	const { customerId, connectionId } = planned;
	const { ref, url, customerRef, expiresAt } = opened;
	insertPage(work, {
		...{ id: pageId, customerId, connectionId, ref, url, customerRef, expiresAt, state: "OPEN" },
		...{ dueAt: nextLookAt(work.machineNow, work.machineNow), openedAt: work.machineNow },
	});
	work.wake("collector");
}

/** The result of a look-up of a page; null if the provider did not answer. */
export type PageLook = Pick<Awaited<ReturnType<Provider["lookPage"]>>, "state" | "method"> | null;

/** Applies a look-up of a page: a saved method becomes the customer's default payment method. */
export function applyPageLook(work: Work, { pageId, look }: { pageId: string; look: PageLook }): null {
	const page = findPage(work, pageId);
	if (!page || page.dueAt === null) return null;
	if (look === null || (look.state === "OPEN" && work.machineNow < page.expiresAt)) {
		savePage(work, page, { dueAt: nextLookAt(page.openedAt, work.machineNow) });
		return null;
	}
	const { method } = look;
	const isSaved = look.state === "COMPLETE" && method !== null;
	savePage(work, page, {
		...{ state: isSaved ? ("COMPLETE" as const) : ("EXPIRED" as const), dueAt: null },
		...(isSaved && { customerRef: method.customerRef }),
	});
	if (isSaved) storeMethod(work, getCustomerById(work, page.customerId), page.connectionId, method);
	return null;
}

/** Throws CustomerNotFound; 404 for a page that the customer does not have. */
export function getPage(work: Work, customerRef: string, pageId: string): MethodPageRow {
	const customer = getCustomer(work, customerRef);
	const page = findPage(work, pageId);
	if (page?.customerId !== customer.id)
		throw new HttpRefusal(404, `The customer '${customerRef}' has no page '${pageId}' to save a payment method.`);
	return page;
}
