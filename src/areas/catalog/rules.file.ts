import { type TypeCheck, TypeCompiler } from "@sinclair/typebox/compiler";
import type { ValueError } from "@sinclair/typebox/errors";
import { Document, isMap, isNode, isScalar, isSeq, LineCounter, parseDocument, visit } from "yaml";
import { fail } from "../../kernel/errors";
import { Catalogue, fileBytesMax } from "./schema";

/** Where something stands in a document: `["plans", 2, "charges"]`. */
export type Place = readonly (string | number)[];

/** A catalogue as somebody wrote it, and where in the file its parts are. */
export interface CatalogueFile {
	readonly catalogue: Catalogue;
	/** `plans[2] (line 41)`: for messages. */
	readonly at: (place: Place) => string;
}

export type FileFormat = "yaml" | "json";

export const formatOf = (fileName: string): FileFormat => (/\.json$/i.test(fileName) ? "json" : "yaml");

/** Our choice: so many faults are told at once; who has more mends these first. */
const faultsShownMax = 20;

/** Reads YAML or JSON (which is YAML) and checks its shape. Throws BadUserInput that names every place at fault. */
export function readCatalogue(text: string): CatalogueFile {
	if (Buffer.byteLength(text) > fileBytesMax)
		throw fail("BadUserInput", `The file is larger than ${fileBytesMax} bytes, the most a catalogue may have.`);
	const { document, value, lines } = parsed(text);
	const at = (place: Place): string => `${written(place)}${lineOf(document, lines, place)}`;
	if (!checked().Check(value)) throw fail("BadUserInput", faults(value, at));
	return { catalogue: value, at };
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
		// Nested deeper than the stack.
		if (error instanceof RangeError) throw fail("BadUserInput", nestedTooDeep);
		// The parser's own guard against aliases that multiply without end.
		if (error instanceof ReferenceError) throw fail("BadUserInput", `The file cannot be read: ${error.message}.`);
		throw error;
	}
}

/** `plans[2].charges.pricingModels[0]`; the document itself is called so. */
const written = (place: Place): string =>
	place.length === 0
		? "the document"
		: place.map((key, at) => (typeof key === "number" ? `[${key}]` : at === 0 ? key : `.${key}`)).join("");

/** The line of the place, or of the nearest thing around it that is written down. */
function lineOf(document: Document, lines: LineCounter, place: Place): string {
	for (let depth = place.length; depth >= 0; depth -= 1) {
		const node: unknown = depth === 0 ? document.contents : document.getIn(place.slice(0, depth), true);
		if (isNode(node) && node.range) return ` (line ${lines.linePos(node.range[0]).line})`;
	}
	return "";
}

let compiled: TypeCheck<typeof Catalogue> | undefined;

/** Compiled when the first file is read: no other command has use for it. */
function checked(): TypeCheck<typeof Catalogue> {
	compiled ??= TypeCompiler.Compile(Catalogue);
	return compiled;
}

function faults(value: unknown, at: (place: Place) => string): string {
	const told = new Map<string, string>();
	for (const error of checked().Errors(value)) {
		if (told.size === faultsShownMax) break;
		const { path, says } = closest(error);
		// The first thing said of a place is the plainest; what follows from it is left out.
		if (!told.has(path)) told.set(path, `${at(placeOf(path, value))}: ${says}`);
	}
	return [...told.values()].join("\n");
}

/** A JSON pointer as a place: a number is an index where the value is a list. */
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

/** Of a union, the alternative whose `type` fits, and among those the one whose first error lies deepest. */
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

/** Small things that read better on one line; everything else has a line for each key, so that a diff shows one change. */
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

/** A catalogue in canonical form as text: the same catalogue gives the same bytes, always. */
export function writeCatalogue(catalogue: Catalogue, format: FileFormat): string {
	if (format === "json") return `${JSON.stringify(catalogue, null, 2)}\n`;
	const document = new Document(catalogue, { aliasDuplicateObjects: false });
	visit(document, {
		Pair(_, { key, value }) {
			const name = String(key);
			// Unquoted it would merge instead of being a key.
			if (name === "<<" && isScalar(key)) key.type = "QUOTE_DOUBLE";
			if (oneLine.has(name) && isMap(value)) value.flow = true;
			if (oneLineElements.has(name) && isSeq(value)) for (const item of value.items) if (isMap(item)) item.flow = true;
		},
	});
	return document.toString({ lineWidth: 0 });
}
