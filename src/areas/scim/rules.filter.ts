import { invalid } from "./rules.refusals";

export interface Filter<Attribute extends string> {
	readonly attribute: Attribute;
	readonly value: string;
}

/**
 * `userName eq "ada@example.com"`: what providers look for before they create. Names of attributes are read in any case. Source:
 * RFC 7644, section 3.4.2.2; other operators are refused as `invalidFilter`.
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

/** In lower case, without the URN that it may begin with; of several addresses it does not matter which one is meant. */
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

/** From 1, as SCIM counts. Source: RFC 7644, section 3.4.2.4. */
export interface Window {
	readonly startIndex: number;
	readonly count: number;
}

/** Our choice: as many as providers ask for. */
export const countMax = 100;

/** Our choice, of groups that are shown with their members: each has up to 5,000. Fewer than asked for is a page too. */
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

/** `excludedAttributes=members`: without them groups are small. */
export const leavesMembersOut = (excludedAttributes = ""): boolean =>
	excludedAttributes
		.toLowerCase()
		.split(",")
		.some((one) => one.trim() === "members");

/** As many groups as are shown at once. */
export const groupsMaxOf = (excludedAttributes: string | undefined): number =>
	leavesMembersOut(excludedAttributes) ? countMax : wholeGroupsMax;

function wholeNumber(text: string | undefined, otherwise: number): number {
	if (text === undefined) return otherwise;
	if (!/^-?\d{1,9}$/.test(text)) throw invalid("invalidValue", "'startIndex' and 'count' are whole numbers.");
	return Number(text);
}
