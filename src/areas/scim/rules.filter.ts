import { invalid } from "./rules.refusals";

export interface Filter<Attribute extends string> {
	readonly attribute: Attribute;
	readonly value: string;
}

/**
 * Parses a filter such as `userName eq "ada@example.com"`, which providers use before they create a user. Attribute
 * names are case-insensitive (RFC 7644, section 3.4.2.2). Throws `invalidFilter` for other operators.
 */
export function readFilter<Attribute extends string>(
	text: string,
	attributes: Readonly<Record<string, Attribute>>,
): Filter<Attribute> {
	const found = /^\s*(\S+|emails\[[^\]]*\]\.value)\s+eq\s+("(?:[^"\\]|\\.)*")\s*$/i.exec(text);
	const name = attributeIn(found?.[1] ?? "");
	const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
	if (!found || !attribute)
		throw invalid(
			"invalidFilter",
			`Filters are of the form 'ATTRIBUTE eq "VALUE"', with one of ${Object.values(attributes).join(", ")}.`,
		);
	return { attribute, value: textOf(found[2] ?? '""') };
}

/** Returns the attribute in lower case, without its URN. The type of an email address is ignored. */
const attributeIn = (path: string): string =>
	path
		.toLowerCase()
		.replace(/^urn:ietf:params:scim:schemas:core:2\.0:(user|group):/, "")
		.replace(/\[[^\]]*\]/, "");

function textOf(quoted: string): string {
	try {
		return JSON.parse(quoted);
	} catch {
		throw invalid("invalidFilter", "The value of the filter is no text of JSON.");
	}
}

/** A page, counted from 1 (RFC 7644, section 3.4.2.4). */
export interface Window {
	readonly startIndex: number;
	readonly count: number;
}

/** The maximum page of users. */
export const countMax = 100;

/** The maximum page of groups with their members, of which each has up to 5,000. SCIM allows a smaller page than requested. */
const wholeGroupsMax = 10;

export function readWindow(
	{ startIndex, count }: { readonly startIndex?: string; readonly count?: string },
	most = countMax,
): Window {
	return {
		startIndex: Math.max(1, wholeNumber(startIndex, 1)),
		count: Math.min(most, Math.max(0, wholeNumber(count, most))),
	};
}

/** `excludedAttributes=members` makes groups small. */
export const leavesMembersOut = (excludedAttributes = ""): boolean =>
	excludedAttributes
		.toLowerCase()
		.split(",")
		.some((one) => one.trim() === "members");

/** Returns the maximum page of groups. */
export const groupsMaxOf = (excludedAttributes: string | undefined): number =>
	leavesMembersOut(excludedAttributes) ? countMax : wholeGroupsMax;

function wholeNumber(text: string | undefined, otherwise: number): number {
	if (text === undefined) return otherwise;
	if (!/^-?\d{1,9}$/.test(text)) throw invalid("invalidValue", "'startIndex' and 'count' are whole numbers.");
	return Number(text);
}
