import { cutPage, type Page, pageRequestOf, unknownCursor } from "../../kernel/page";
import { queryValues } from "../../kernel/query";
import type { Work } from "../../kernel/work";
import { getCustomer } from "./operations";
import { assertNotArchived } from "./rules";
import { getLink, linkCursor, withChangedLink, withLink, withoutLink } from "./rules.integrations";
import type { CustomerIntegrationRef } from "./schema";
import type { IntegrationLink, IntegrationListQuery, IntegrationUpdate } from "./schema.integrations";
import { changeCustomer } from "./store";
import type { CustomerRow } from "./table";

/** A link in a list. `id` is its cursor. */
export interface ListedLink {
	readonly id: string;
	readonly link: CustomerIntegrationRef;
}

/** Lists the links, newest first. They are a short list in one row. Throws CustomerNotFound, or BadUserInput for an unknown cursor. */
export function listIntegrations(work: Work, refId: string, query: IntegrationListQuery): Page<ListedLink> {
	const customer = getCustomer(work, refId);
	const all = customer.integrations.map((link) => ({ id: linkCursor(customer.id, link.id), link })).reverse();
	const { cursor, isBackward, rowsMax } = pageRequestOf(query);
	const at = all.findIndex(({ id }) => id === cursor);
	if (cursor !== undefined && at === -1) throw unknownCursor(cursor);
	const beyond = isBackward ? all.slice(0, at).reverse() : all.slice(at + 1);
	const vendors = queryValues(query.vendorIdentifier);
	const found = beyond.filter(({ link }) => !vendors || vendors.includes(link.vendorIdentifier));
	return cutPage(query, found.slice(0, rowsMax));
}

/** Throws CustomerNotFound, IntegrationNotFound. */
export const getIntegration = (work: Work, refId: string, integrationId: string): CustomerIntegrationRef =>
	getLink(getCustomer(work, refId).integrations, refId, integrationId);

/** Links the customer to an external entity. Throws CustomerNotFound, EntityIsArchivedError, DuplicateIntegrationNotAllowed. */
export function linkIntegration(work: Work, refId: string, link: IntegrationLink): CustomerIntegrationRef {
	const customer = changeable(work, refId);
	changeCustomer(work, customer, { integrations: withLink(customer.integrations, link) });
	return link;
}

/** Changes the id of the external entity. Throws CustomerNotFound, EntityIsArchivedError, IntegrationNotFound. */
export function updateIntegration(
	work: Work,
	refId: string,
	integrationId: string,
	{ syncedEntityId }: IntegrationUpdate,
): CustomerIntegrationRef {
	const customer = changeable(work, refId);
	const link = { ...getLink(customer.integrations, refId, integrationId), syncedEntityId };
	changeCustomer(work, customer, { integrations: withChangedLink(customer.integrations, link) });
	return link;
}

/** Removes a link and returns it. Throws CustomerNotFound, EntityIsArchivedError, IntegrationNotFound. */
export function unlinkIntegration(work: Work, refId: string, integrationId: string): CustomerIntegrationRef {
	const customer = changeable(work, refId);
	const link = getLink(customer.integrations, refId, integrationId);
	changeCustomer(work, customer, { integrations: withoutLink(customer.integrations, integrationId) });
	return link;
}

function changeable(work: Work, refId: string): CustomerRow {
	const customer = getCustomer(work, refId);
	assertNotArchived(customer);
	return customer;
}
