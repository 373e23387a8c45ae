import { fail } from "../../kernel/errors";
import { type CustomerIntegrationRef, linksMax, type PaymentMethodSource, type VendorIdentifier } from "./schema";
import type { VendorIds } from "./schema.integrations";

// A customer's links to external entities: a short list, oldest first, with at most one link per integration.

type Links = readonly CustomerIntegrationRef[];

/** Throws DuplicateIntegrationNotAllowed if two links have the same integration. */
export function assertLinkedOnce(links: Links): void {
	const seen = new Set<string>();
	for (const { id } of links) {
		if (seen.has(id))
			throw fail("DuplicateIntegrationNotAllowed", `The integration '${id}' is there twice; name it once.`);
		seen.add(id);
	}
}

/** Throws IntegrationNotFound if the list has no such link. */
export function getLink(links: Links, customerRef: string, id: string): CustomerIntegrationRef {
	const found = links.find((link) => link.id === id);
	if (!found) throw fail("IntegrationNotFound", `The customer '${customerRef}' has no link to an integration '${id}'.`);
	return found;
}

/** Returns the list with the new link. Throws DuplicateIntegrationNotAllowed; BadUserInput beyond the maximum length. */
export function withLink(links: Links, link: CustomerIntegrationRef): CustomerIntegrationRef[] {
	if (links.some(({ id }) => id === link.id))
		throw fail(
			"DuplicateIntegrationNotAllowed",
			`The integration '${link.id}' is linked already; update the link, or unlink it first.`,
		);
	if (links.length >= linksMax)
		throw fail("BadUserInput", `A customer may have ${linksMax} links, and this one has them; unlink one first.`);
	return [...links, link];
}

/** Returns the list with this link in place of the former link to the same integration. */
export const withChangedLink = (links: Links, changed: CustomerIntegrationRef): CustomerIntegrationRef[] =>
	links.map((link) => (link.id === changed.id ? changed : link));

export const withoutLink = (links: Links, id: string): CustomerIntegrationRef[] =>
	links.filter((link) => link.id !== id);

/**
 * Returns the list after a caller names a vendor but no integration. The vendor's link gets the id, or a new link is added under
 * the vendor's name. Null removes the vendor's links.
 */
export function withVendorId(
	links: Links,
	vendorIdentifier: VendorIdentifier,
	syncedEntityId: string | null,
): CustomerIntegrationRef[] {
	const known = links.find((link) => link.vendorIdentifier === vendorIdentifier);
	if (syncedEntityId === null) return links.filter((link) => link.vendorIdentifier !== vendorIdentifier);
	if (known) return withChangedLink(links, { ...known, syncedEntityId });
	return withLink(links, { id: vendorIdentifier.toLowerCase(), syncedEntityId, vendorIdentifier });
}

/**
 * Returns the cursor of a link: a UUID (RFC 9562, version 8) derived from the customer's row id and the integration's id. A link
 * has no row of its own.
 */
export function linkCursor(customerId: string, id: string): string {
	const hex = new Bun.CryptoHasher("sha256").update(JSON.stringify([customerId, id])).digest("hex");
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** The vendors of the contract that store payment methods. */
const payingVendors: ReadonlySet<VendorIdentifier> = new Set([
	"STRIPE",
	"STRIPE_INVOICING",
	"ZUORA",
	"AIRWALLEX",
	"AWS_MARKETPLACE",
	"APP_STORE",
]);

/** Throws UnsupportedVendorIdentifier if the vendor stores no payment methods. */
export function assertKeepsPaymentMethods({ vendorIdentifier }: Pick<PaymentMethodSource, "vendorIdentifier">): void {
	if (!payingVendors.has(vendorIdentifier))
		throw fail(
			"UnsupportedVendorIdentifier",
			`${vendorIdentifier} keeps no payment methods; name one of ${[...payingVendors].join(", ")}.`,
		);
}

/** Returns the links after an update; undefined if the input names no vendor, so the links do not change. */
export function linksWith(
	links: readonly CustomerIntegrationRef[],
	ids: VendorIds,
): CustomerIntegrationRef[] | undefined {
	const named = (["HUBSPOT", "SALESFORCE", "AWS_MARKETPLACE"] as const).flatMap((vendor) => {
		const id = ids[vendor];
		return id === undefined ? [] : [{ vendor, id }];
	});
	if (named.length === 0) return undefined;
	return named.reduce<CustomerIntegrationRef[]>((given, { vendor, id }) => withVendorId(given, vendor, id), [...links]);
}
