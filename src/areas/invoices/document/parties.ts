import type { Instant } from "../../../kernel/clock";
import { exact } from "../../../kernel/decimal";
import type { TaxExemption } from "../../customers/schema.invoicing";
import type { InvoiceIssuer, InvoiceParty, PostalAddress, TaxConversion, TaxNumber } from "../schema.party";
import type { InvoiceRow } from "../table";
import type { Formats } from "./format";
import { filled } from "./labels";
import type { Labels } from "./labels.en";
import type { Writing } from "./writing";

export interface PartyBlock {
	readonly name: string;
	readonly details: readonly string[];
}

export interface Logo {
	readonly contentType: "image/png" | "image/jpeg";
	/** In pixels. */
	readonly width: number;
	readonly height: number;
	readonly bytes: Uint8Array;
}

export const partyBlock = (
	{ name, address, email, taxIds }: InvoiceParty,
	{ labels, formats }: Writing,
): PartyBlock => ({
	name,
	details: [
		...addressLines(address, formats),
		...(email ? [email] : []),
		...taxIds.map((taxId) => `${taxLabel(taxId, labels)} ${taxId.value}`),
	],
});

/** Returns the issuer's details, including its registration. */
export function issuerBlock(issuer: InvoiceIssuer, writing: Writing): PartyBlock {
	const block = partyBlock(issuer, writing);
	return issuer.registration ? { ...block, details: [...block.details, issuer.registration] } : block;
}

const taxLabel = ({ type }: TaxNumber, { vatNumber }: Labels): string =>
	type.toLowerCase() === "eu_vat" ? vatNumber : type.replaceAll("_", " ").toUpperCase();

/** Returns street, place and country, the usual order in most countries. */
function addressLines(address: PostalAddress | null, { country: countryName }: Formats): string[] {
	const { line1, line2, city, state, postalCode, country } = address ?? {};
	const place = [[postalCode, city].filter(Boolean).join(" "), state].filter(Boolean).join(", ");
	return [line1, line2, place, country === undefined ? undefined : countryName(country.trim())].filter(
		(line): line is string => line !== undefined && line.trim() !== "",
	);
}

/**
 * Returns the remarks on tax: why none is charged, or its amount in the currency in which the issuer declares it.
 * Directive 2006/112/EC requires both (article 226, points 11 and 11a, and article 230).
 */
export function remarksOf(
	{ customer, tax, currency, taxConversion }: Pick<InvoiceRow, "customer" | "tax" | "currency" | "taxConversion">,
	{ labels, formats }: Writing,
): string[] {
	if (taxConversion) return [convertedRemark(currency, taxConversion, labels, formats)];
	if (!customer.taxExemption || !exact(tax).eq(0)) return [];
	return [exemptionRemark(customer.taxExemption, customer.taxExemptionProvision ?? null, labels)];
}

function exemptionRemark(exemption: TaxExemption, named: string | null, labels: Labels): string {
	if (exemption === "REVERSE_CHARGE")
		return filled(labels.reverseCharge, { provision: named ?? labels.reverseChargeProvision });
	// The sentence ends with one period, also after an abbreviation.
	return named === null ? labels.exempt : filled(labels.exemptBy, { provision: named.replace(/[.。]$/, "") });
}

const convertedRemark = (
	from: string,
	{ currency, rate, source, date, amount }: TaxConversion,
	labels: Labels,
	formats: Formats,
) =>
	filled(labels.taxConverted, {
		currency: currency.toUpperCase(),
		amount: formats.money(amount, currency),
		from: from.toUpperCase(),
		rate: formats.quantity(rate),
		source,
		date: formats.date(Date.parse(date) as Instant),
	});
