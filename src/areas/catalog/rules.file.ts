import type { Static, TSchema } from "@sinclair/typebox";
import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { ValueError } from "@sinclair/typebox/errors";
import { Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import { fail } from "../../kernel/errors";
import { Catalogue, fileBytesMax } from "./schema";

/** A path in a document, such as `["plans", 2, "charges"]`. */
export type Place = readonly (string | number)[];

/** A parsed catalogue file, with the positions of its parts. */
export interface CatalogueFile {
	readonly catalogue: Catalogue;
	/** Returns the place for messages, such as `plans[2] (line 41)`. */
	readonly at: (place: Place) => string;
}

export type FileFormat = "yaml" | "json";

export const formatOf = (fileName: string): FileFormat => (/\.json$/i.test(fileName) ? "json" : "yaml");

/** The maximum number of errors reported at once. */
const faultsShownMax = 20;

/** Reads a catalogue. Throws BadUserInput, which names every invalid place. */
export function readCatalogue(text: string): CatalogueFile {
	const { value: catalogue, at } = readDocument(text, checked());
	return { catalogue, at };
}

/** Reads YAML (JSON is a subset) and validates its structure. Throws BadUserInput, which names every invalid place. */
export function readDocument<T extends TSchema>(
	text: string,
	check: TypeCheck<T>,
): { readonly value: Static<T>; readonly at: (place: Place) => string } {
	if (Buffer.byteLength(text) > fileBytesMax)
		throw fail("BadUserInput", `The file is larger than ${fileBytesMax} bytes, the most a file may have.`);
	const { document, value, lines } = parsed(text);
	const at = (place: Place): string => `${written(place)}${lineOf(document, lines, place)}`;
	if (!check.Check(value)) throw fail("BadUserInput", faults(check.Errors(value), value, at));
	return { value, at };
}

const nestedTooDeep = "The file is nested far deeper than any catalogue; it cannot be read.";

function parsed(text: string) {
	const lines = new LineCounter();
	try {
		const document = parseDocument(text, { lineCounter: lines, merge: true, uniqueKeys: true, prettyErrors: false });
		const [broken] = document.errors;
		if (!broken) return { document, lines, value: document.toJS() as unknown };
		if (broken.code === "RESOURCE_EXHAUSTION") throw fail("BadUserInput", nestedTooDeep);
		const { line, col } = lines.linePos(broken.pos[0]);
		throw fail("BadUserInput", `line ${line}, column ${col}: ${broken.message}`);
	} catch (error) {
		// The nesting exceeds the stack.
		if (error instanceof RangeError) throw fail("BadUserInput", nestedTooDeep);
		// The parser limits aliases that expand exponentially.
		if (error instanceof ReferenceError) throw fail("BadUserInput", `The file cannot be read: ${error.message}.`);
		throw error;
	}
}

/** Returns the place as text, such as `plans[2].charges.pricingModels[0]`; "the document" for the root. */
const written = (place: Place): string =>
	place.length === 0
		? "the document"
		: place.map((key, at) => (typeof key === "number" ? `[${key}]` : at === 0 ? key : `.${key}`)).join("");

/** Returns the line of the place, or of its nearest enclosing part in the file. */
function lineOf(document: Document, lines: LineCounter, place: Place): string {
	for (let depth = place.length; depth >= 0; depth -= 1) {
		const node: unknown = depth === 0 ? document.contents : document.getIn(place.slice(0, depth), true);
		if (isNode(node) && node.range) return ` (line ${lines.linePos(node.range[0]).line})`;
	}
	return "";
}

let compiled: TypeCheck<typeof Catalogue> | undefined;

/** Compiles when the first file is read, because other commands do not need it. */
function checked(): TypeCheck<typeof Catalogue> {
	compiled ??= TypeCompiler.Compile(Catalogue);
	return compiled;
}

function faults(errors: Iterable<ValueError>, value: unknown, at: (place: Place) => string): string {
	const faultByPath = new Map<string, string>();
	for (const error of errors) {
		if (faultByPath.size === faultsShownMax) break;
		const { path, says } = closest(error);
		// Keeps the first error of each place, which is the clearest; the others follow from it.
		if (!faultByPath.has(path)) faultByPath.set(path, `${at(placeOf(path, value))}: ${says}`);
	}
	return [...faultByPath.values()].join("\n");
}

/** Converts a JSON pointer to a place. A number is an index if the value is a list. */
function placeOf(pointer: string, value: unknown): Place {
	const place: (string | number)[] = [];
	let inside: unknown = value;
	for (const part of pointer.split("/").slice(1)) {
		const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
		place.push(Array.isArray(inside) ? Number(key) : key);
		inside = typeof inside === "object" && inside !== null ? Reflect.get(inside, key) : undefined;
	}
	return place;
}

interface Fault {
	readonly path: string;
	readonly says: string;
}

/** Returns the error of the best alternative of a union: one with a matching `type`, whose first error is deepest. */
function closest(error: ValueError): Fault {
	const [inner] = error.errors
		.flatMap((alternative) => {
			const found = [...alternative];
			const [first] = found;
			return first ? [{ fits: !found.some(({ path }) => path.endsWith("/type")), fault: closest(first) }] : [];
		})
		.sort((one, other) => Number(other.fits) - Number(one.fits) || other.fault.path.length - one.fault.path.length);
	if (inner && inner.fault.path.length > error.path.length) return inner.fault;
	return { path: error.path, says: expectation(error) };
}

function expectation({ schema, message, value }: ValueError): string {
	const choices: unknown = schema.enum;
	if (Array.isArray(choices))
		return choices.length > 40 ? "is not one of the allowed values" : `must be one of ${choices.join(", ")}`;
	if (message === "Unexpected property") return "there is no such key here";
	if (message === "Expected required property") return "is missing";
	const hint = message === "Expected string" && typeof value === "number" ? "; put it in quotes" : "";
	return `${message.charAt(0).toLowerCase()}${message.slice(1)}${hint}`;
}

/** Keys of small values that are written on one line. All other values have one line per key, so that a diff shows one change. */
const oneLine = new Set([
	"price",
	"unitPrice",
	"flatPrice",
	"minimum",
	"creditRate",
	"units",
	"aggregation",
	"budget",
	"usageResetCutoffRule",
	"portalSettings",
	"yearlyResetPeriodConfiguration",
	"monthlyResetPeriodConfiguration",
	"weeklyResetPeriodConfiguration",
]);
const oneLineElements = new Set(["tiers", "enumConfiguration", "amountsOff", "conditions", "hiddenFromWidgets"]);

/** Returns the text of a catalogue, or of another canonical document. The same document always gives the same bytes. */
export function writeCatalogue(catalogue: object, format: FileFormat): string {
	if (format === "json") return `${JSON.stringify(catalogue, null, 2)}\n`;
	const document = new Document(catalogue, { aliasDuplicateObjects: false });
	visit(document, {
		Pair(_, { key, value }) {
			const name = String(key);
			// An unquoted `<<` would merge instead of being a key.
			if (name === "<<" && isScalar(key)) key.type = "QUOTE_DOUBLE";
			if (oneLine.has(name) && isMap(value)) value.flow = true;
			if (oneLineElements.has(name) && isSeq(value)) for (const item of value.items) if (isMap(item)) item.flow = true;
		},
	});
	return document.toString({ lineWidth: 0 });
}
