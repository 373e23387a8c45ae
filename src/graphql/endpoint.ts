import { yoga } from "@elysiajs/graphql-yoga";
import { Elysia } from "elysia";
import {
	type DocumentNode,
	type ExecutionArgs,
	type ExecutionResult,
	executeSync,
	type GraphQLError,
	getOperationAST,
	OperationTypeNode,
	parse,
	validate,
} from "graphql";
import { assertAllowed } from "../areas/access/rules";
import { assertJsonType, parseJson } from "../http/body";
import { shortHosts } from "../http/hosts";
import { type KeyedCall, keyedCall } from "../http/idempotency";
import type { RateHeaders } from "../http/limits";
import { requestIdOf } from "../http/requests";
import { statusByCode } from "../kernel/error-codes";
import { assert, DomainError } from "../kernel/errors";
import type { Actor } from "../kernel/work";
import type { Services } from "../services";
import { Asking } from "./asking";
import { Budget } from "./budget";
import type { Schemas } from "./build";
import { counting } from "./counting";
import { viewErrors } from "./errors";
import { type Lenient, lenientOf, lenientRules } from "./lenient";
import { batchMax, measure, noTotals, type Totals, tokensMax, valuesMax } from "./limits";
import { executeMutation } from "./mutations";
import { operationsOf } from "./request";
import { nextTurn } from "./turns";

/** Parsed documents that are kept; clients send the same few texts again and again. Our choice. */
const rememberedDocumentsMax = 200;

/** What Yoga hands its plugins of one operation, as far as it is used here. */
interface Incoming {
	readonly request: Request;
	readonly params: {
		readonly query: string;
		readonly operationName?: string;
		readonly variables?: Record<string, unknown>;
		/** Ours: which operation of the batch this is, so that an `Idempotency-Key` tells them apart. */
		readonly extensions?: { readonly place: number };
	};
}

/** What is known of a request while its operations are answered; gone with the request. */
interface Caller {
	readonly actor: Actor;
	/** What all operations of the batch come to so far, as far as their text tells. */
	readonly totals: Totals;
	/** What is left for them to spend. */
	readonly budget: Budget;
	/** When the operation before has had its turn, and when it has been answered. */
	turn: Promise<void>;
	answered: Promise<unknown>;
	/** Known once the body is read; undefined without an `Idempotency-Key`. */
	call: KeyedCall | undefined;
	/** Whether the `Idempotency-Key` had an answer already. */
	replayed: boolean;
	/** Of the limited calls so far, the headers of the one with the fewest left. */
	rate: RateHeaders;
}

/**
 * `POST /graphql` (endpoint 8). Who may not call gets the interface's 401 or 403 (Authentication, rules 3 and 4); every
 * other answer is 200 with `data` and `errors`, since the known clients lose the code with any other status, and retry
 * most of them (docs/interface/graphql.md).
 */
export function endpoint(services: Services, schemas: Schemas): Elysia {
	const callers = new WeakMap<Request, Caller>();
	const known = new WeakMap<DocumentNode, Lenient | "strict">();
	const config = {
		schema: schemas.shown,
		graphqlEndpoint: "/graphql",
		batching: { limit: batchMax },
		// No page, no form posts, no answer to other paths, no second log: JSON in, JSON out. Errors are masked below.
		graphiql: false,
		landingPage: false,
		multipart: false,
		logging: false,
		maskedErrors: false,
		parserCache: { documentCache: rememberDocuments(), errorCache: { get: () => undefined, set: () => undefined } },
		plugins: [
			reading(services, callers),
			takingTurns(callers),
			limiting(schemas, callers, known),
			validating(schemas, known),
			answering(services, schemas, callers, known),
			rendering(services, callers),
		],
	};
	return new Elysia({ tags: ["GraphQL"], normalize: false, handler: shortHosts })
		.onBeforeHandle(({ request }) => {
			try {
				const { actor } = services.authenticator.caller(request.headers);
				// Any server key may call; what it sees is decided field by field (Authentication, rules 2 and 4).
				assertAllowed(actor, {});
				callers.set(request, newCaller(actor));
			} catch (error) {
				if (!(error instanceof DomainError)) throw error;
				return turnAway(error, requestIdOf(request));
			}
			return undefined;
		})
		.use(yoga(config as unknown as Parameters<typeof yoga>[0])) as unknown as Elysia;
}

const newCaller = (actor: Actor): Caller => ({
	actor,
	totals: noTotals(),
	budget: new Budget(),
	turn: Promise.resolve(),
	answered: Promise.resolve(),
	call: undefined,
	replayed: false,
	rate: {},
});

/** The error body of REST, and beside it the `errors` that a GraphQL client looks for. */
const turnAway = ({ message, code }: DomainError, traceId: string): Response =>
	Response.json(
		{ message, code, errors: [{ message, extensions: { code, traceId } }] },
		{ status: statusByCode[code], headers: { "x-request-id": traceId } },
	);

/** The body, with REST's own bounds. */
const reading = ({ bodies }: Services, callers: WeakMap<Request, Caller>) => ({
	onRequestParse({
		request,
		setRequestParser,
	}: {
		readonly request: Request;
		readonly setRequestParser: (parser: () => Promise<unknown>) => void;
	}): void {
		setRequestParser(async () => {
			const text = await bodies.text(request, "large");
			assertJsonType(request, text);
			const caller = callers.get(request);
			if (caller) caller.call = keyedCall(request, text);
			return operationsOf(parseJson(text, valuesMax));
		});
	},
});

/** Between two operations others are served: each is parsed, checked and answered in a turn of its own. */
const takingTurns = (callers: WeakMap<Request, Caller>) => ({
	async onParams({ request }: Incoming): Promise<void> {
		const caller = callers.get(request);
		if (!caller) return;
		// One operation of a batch waits at a time: a long batch takes turns with other callers.
		caller.turn = caller.turn.then(nextTurn);
		await caller.turn;
	},
});

/** Parsed documents: whether the schema knows all they ask for, or what they are without the rest. */
type Known = WeakMap<DocumentNode, Lenient | "strict">;

const lenientIn = (known: Known, document: DocumentNode): Lenient | undefined => {
	const found = known.get(document);
	return found === "strict" ? undefined : found;
};

interface Parsed {
	readonly result: DocumentNode | Error | null;
	readonly replaceParseResult: (document: DocumentNode) => void;
}

/** Tokens while parsing, everything else right after it: before validation and whatever the document, cached or not. */
const limiting = ({ shown }: Schemas, callers: WeakMap<Request, Caller>, known: Known) => ({
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
			measure({ schema: shown, document, definition, variables: params.variables ?? {} }, caller.totals);
		};
	},
});

const validating = ({ lenient }: Schemas, known: Known) => ({
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

type Execution = ExecutionArgs & { readonly contextValue: Incoming };

/**
 * A query is one Work: one transaction, one instant. Of a mutation each field of the root is one (mutations.ts). Resolvers
 * are synchronous, as the database is.
 */
const answering = (
	{ doors, limits }: Services,
	{ shown, lenient }: Schemas,
	callers: WeakMap<Request, Caller>,
	known: Known,
) => ({
	onExecute({
		setExecuteFn,
	}: {
		readonly setExecuteFn: (execute: (args: Execution) => Promise<ExecutionResult>) => void;
	}): void {
		setExecuteFn(async ({ contextValue, ...args }) => {
			const caller = callers.get(contextValue.request);
			assert(caller, "no operation runs before its caller is known");
			const reduced = lenientIn(known, args.document);
			const schema = reduced ? lenient : shown;
			const isMutation = getOperationAST(args.document, args.operationName)?.operation === OperationTypeNode.MUTATION;
			const run = async (): Promise<ExecutionResult> =>
				isMutation
					? executeMutation({
							doors,
							actor: caller.actor,
							budget: caller.budget,
							args: { ...args, schema },
							callOf: (field) => callOfField(caller, contextValue, field),
							onReplay: () => {
								caller.replayed = true;
							},
							countCall: counting(limits, caller),
						})
					: doors.read(caller.actor, (work) => {
							const asking = new Asking(work, caller.budget);
							const answer = executeSync({ ...args, schema, contextValue: asking });
							asking.assertWhole();
							return answer;
						});
			// What the operation before does comes first, also where it takes several turns.
			const answered = caller.answered.then(run);
			caller.answered = answered.catch(() => undefined);
			const result = await answered;
			// A typing error answers null as well: this tells whoever looks.
			return reduced ? { ...result, extensions: { unknownFields: reduced.unknown } } : result;
		});
	},
});

/** Each field of the root is kept by itself, since each is a transaction by itself: a retry runs what has not run yet. */
const callOfField = ({ call }: Caller, { params }: Incoming, field: string): KeyedCall | undefined =>
	call && { ...call, path: `${call.path}#${params.extensions?.place ?? 0}.${field}` };

/** Always 200 and JSON, whatever the operation came to and whatever the caller accepts. */
const rendering = ({ log }: Services, callers: WeakMap<Request, Caller>) => ({
	onResultProcess({
		request,
		setResultProcessor,
	}: {
		readonly request: Request;
		readonly setResultProcessor: (
			process: (result: ExecutionResult | ExecutionResult[]) => Response,
			mediaType: string,
		) => void;
	}): void {
		const requestId = requestIdOf(request);
		const failing = {
			requestId,
			logBug: (error: unknown) => log.error({ requestId, err: error }, "internal error"),
		};
		setResultProcessor(
			(result) =>
				Response.json(
					Array.isArray(result) ? result.map((each) => viewErrors(each, failing)) : viewErrors(result, failing),
					{ headers: headersOf(callers.get(request)) },
				),
			"application/json",
		);
	},
});

const headersOf = (caller: Caller | undefined): Record<string, string> => ({
	...caller?.rate,
	...(caller?.replayed && { "idempotent-replayed": "true" }),
});

/** The newest documents; the oldest goes first. */
function rememberDocuments() {
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
