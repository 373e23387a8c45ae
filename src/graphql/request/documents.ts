import { type DocumentNode, type GraphQLError, getOperationAST, parse, validate } from "graphql";
import type { ApiSettings } from "../../http/api-settings";
import type { Schemas } from "../build";
import type { Caller, Incoming } from "./caller";
import { measure, tokensMax } from "./limits";
import { type LenientDocument, lenientOf, lenientRules } from "./unknown-fields";

/** The number of cached documents. Clients repeat a few texts. */
const rememberedDocumentsMax = 200;

/** A cache of the newest documents. */
export function rememberDocuments() {
	const documents = new Map<string, DocumentNode>();
	return {
		get: (text: string): DocumentNode | undefined => documents.get(text),
		set(text: string, document: DocumentNode): void {
			documents.set(text, document);
			const [oldest] = documents.keys();
			if (documents.size > rememberedDocumentsMax && oldest !== undefined) documents.delete(oldest);
		},
	};
}

/** Parsed documents: "strict" when the schema knows all their fields, else the lenient document. */
export type Known = WeakMap<DocumentNode, LenientDocument | "strict">;

/** The document without unknown fields. Undefined when there are none. */
export const lenientIn = (known: Known, document: DocumentNode): LenientDocument | undefined => {
	const found = known.get(document);
	return found === "strict" ? undefined : found;
};

interface Parsed {
	readonly result: DocumentNode | Error | null;
	readonly replaceParseResult: (document: DocumentNode) => void;
}

/** Limits the tokens while parsing, and the rest right after it, also for cached documents. */
export const limiting = (
	{ shown }: Schemas,
	callers: WeakMap<Request, Caller>,
	known: Known,
	{ introspection }: ApiSettings,
) => ({
	onParse({ context, setParseFn }: { readonly context: Incoming; readonly setParseFn: (fn: typeof parse) => void }) {
		setParseFn((source, options) => parse(source, { ...options, maxTokens: tokensMax }));
		return ({ result, replaceParseResult }: Parsed): void => {
			if (!result || result instanceof Error) return;
			const lenient = known.has(result) ? lenientIn(known, result) : lenientOf(shown, result);
			const document = lenient?.document ?? result;
			known.set(document, lenient ?? "strict");
			if (document !== result) replaceParseResult(document);
			const { request, params } = context;
			const definition = getOperationAST(document, params.operationName);
			const caller = callers.get(request);
			if (!definition || !caller) return;
			measure({ schema: shown, document, definition, variables: params.variables ?? {}, introspection }, caller.totals);
		};
	},
});

/** Validates documents with unknown fields by lenient rules. */
export const validating = ({ lenient }: Schemas, known: Known) => ({
	onValidate({
		params,
		setValidationFn,
	}: {
		readonly params: { readonly documentAST: DocumentNode };
		readonly setValidationFn: (validate: () => readonly GraphQLError[]) => void;
	}): void {
		const { documentAST } = params;
		if (lenientIn(known, documentAST)) setValidationFn(() => validate(lenient, documentAST, lenientRules));
	},
});
