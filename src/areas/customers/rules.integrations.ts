import { fail } from "../../kernel/errors";
import { type CustomerIntegrationRef, linksMax, type PaymentMethodSource, type VendorIdentifier } from "./schema";
import type { VendorIds } from "./schema.integrations";

// A customer's links to external entities are one short list, oldest first. An integration is in it at most once.

type Links = readonly CustomerIntegrationRef[];

/** DuplicateIntegrationNotAllowed. */
export function assertLinkedOnce(links: Links): void {
	const seen = new Set<string>();
	for (const { id } of links) {
		if (seen.has(id))
			throw fail("DuplicateIntegrationNotAllowed", `The integration '${id}' is there twice; name it once.`);
		seen.add(id);
	}
}

/** IntegrationNotFound. */
export function getLink(links: Links, customerRef: string, id: string): CustomerIntegrationRef {
	const found = links.find((link) => link.id === id);
	if (!found) throw fail("IntegrationNotFound", `The customer '${customerRef}' has no link to an integration '${id}'.`);
	return found;
}

/** The list with one more. DuplicateIntegrationNotAllowed; BadUserInput beyond the bound. */
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

/** The list with this link instead of the one to the same integration. */
export const withChangedLink = (links: Links, changed: CustomerIntegrationRef): CustomerIntegrationRef[] =>
	links.map((link) => (link.id === changed.id ? changed : link));

export const withoutLink = (links: Links, id: string): CustomerIntegrationRef[] =>
	links.filter((link) => link.id !== id);

/**
 * The list with the customer's id at a vendor, where the caller names the vendor and no integration: the vendor's link gets
 * it, or a new one under the vendor's name. Null takes the vendor's links away.
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
 * The cursor of a link: a UUID of its name (RFC 9562, version 8), since a link is no row of its own. The customer's row id
 * and the integration's id name it for good.
 */
export function linkCursor(customerId: string, id: string): string {
	const hex = new Bun.CryptoHasher("sha256").update(JSON.stringify([customerId, id])).digest("hex");
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** Those of the contract's vendors that keep payment methods. */
const payingVendors: ReadonlySet<VendorIdentifier> = new Set([
	"STRIPE",
	"STRIPE_INVOICING",
	"ZUORA",
	"AIRWALLEX",
	"AWS_MARKETPLACE",
	"APP_STORE",
]);

/** UnsupportedVendorIdentifier. */
export function assertKeepsPaymentMethods({ vendorIdentifier }: Pick<PaymentMethodSource, "vendorIdentifier">): void {
	if (!payingVendors.has(vendorIdentifier))
		throw fail(
			"UnsupportedVendorIdentifier",
			`${vendorIdentifier} keeps no payment methods; name one of ${[...payingVendors].join(", ")}.`,
		);
}

/** Undefined where the input names no vendor: the links stay as they are. */
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
