import { yoga } from "@elysiajs/graphql-yoga";
import { Elysia } from "elysia";
import {
	type DocumentNode,
	type ExecutionArgs,
	type ExecutionResult,
	execute,
	GraphQLError,
	getOperationAST,
	OperationTypeNode,
} from "graphql";
import { assertAllowed } from "../../areas/access/rules";
import type { ApiSettings } from "../../http/api-settings";
import { shortHosts } from "../../http/authentication/hosts";
import { assertContentType, parseJson } from "../../http/body";
import { causeOf } from "../../http/causes";
import { errors } from "../../http/errors";
import { originOf } from "../../http/origin";
import { HttpRefusal } from "../../http/refusal";
import { requestIdOf } from "../../http/requests";
import { keyedCall } from "../../http/responses/idempotency";
import { statusByCode } from "../../kernel/error-codes";
import { assert, DomainError } from "../../kernel/errors";
import { onceHere } from "../../kernel/storage/failures";
import type { Services } from "../../server/context";
import type { Schemas } from "../build";
import { inParts, isIntrospection } from "../introspection";
import { type Caller, callOfField, headersOf, type Incoming, newCaller } from "./caller";
import { OperationContext } from "./context";
import { countCallsOf } from "./entity-limits";
import { failingOf, viewErrors } from "./errors";
import { yieldToOthers } from "./event-loop";
import { executeIn } from "./execute";
import { batchMax, measure, valuesMax } from "./limits";
import { executeMutation } from "./mutations";
import { operationsOf } from "./request";

/**
 * `POST /graphql` (endpoint 8). Unauthorized callers get the interface's 401 or 403 (Authentication, rules 3 and 4), and a body
 * that is no JSON gets 415. Every other response is 200 with `data` and `errors`: with another status, known clients lose the
 * code and retry (docs/interface/graphql.md).
 */
export function endpoint(services: Services, schemas: Schemas): Elysia {
	const callers = new WeakMap<Request, Caller>();
	const config = {
		schema: schemas.schema,
		graphqlEndpoint: "/graphql",
		batching: { limit: batchMax },
		// JSON in, JSON out: no page, no forms, no other paths, no second log. Errors are masked below.
		graphiql: false,
		landingPage: false,
		multipart: false,
		logging: false,
		maskedErrors: false,
		parserCache: false,
		plugins: [
			reading(services, callers),
			yieldingBetweenOperations(callers),
			checking(schemas, callers, services.api),
			answering(services, schemas, callers),
			refusingSubscriptions,
			rendering(services, callers),
		],
	};
	return new Elysia({ tags: ["GraphQL"], normalize: false, handler: shortHosts })
		.use(errors(services, () => true))
		.onBeforeHandle(async ({ request, server }) => {
			try {
				const addressOf = () => services.senders.of(request, server).address;
				const { actor } = services.authenticator.caller(request.headers, addressOf);
				// Every server key may call. Each field checks its own scope (Authentication, rules 2 and 4).
				assertAllowed(actor, {});
				callers.set(request, newCaller(actor));
			} catch (error) {
				if (!(error instanceof DomainError)) throw error;
				return turnAway(request, error);
			}
			return await otherTypeRefused(services, request);
		})
		.use(yoga(config as unknown as Parameters<typeof yoga>[0])) as unknown as Elysia;
}

/** REST's error body with the `errors` that GraphQL clients expect. */
function turnAway(request: Request, { message, code }: DomainError, status: number = statusByCode[code]): Response {
	const traceId = requestIdOf(request);
	return Response.json(
		{ message, code, errors: [{ message, extensions: { code, traceId } }] },
		{ status, headers: { "x-request-id": traceId } },
	);
}

/** The same for a refusal without a code of the catalogue. */
function refused(request: Request, { status, message, headers }: HttpRefusal): Response {
	const traceId = requestIdOf(request);
	return Response.json(
		{ message, code: null, errors: [{ message, extensions: { code: "UnexpectedError", traceId } }] },
		{ status, headers: { ...headers, "x-request-id": traceId } },
	);
}

/** 415 for a body that is no JSON (docs/interface/graphql.md). */
async function otherTypeRefused({ bodies }: Services, request: Request): Promise<Response | undefined> {
	// Other refusals of the body come from the parser.
	const text = await bodies.text(request, "large").catch(() => "");
	try {
		assertContentType(request, text);
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		return turnAway(request, error, 415);
	}
	return undefined;
}

/** HTTP responses have no subscriptions; WebSockets do (push/). */
const refusingSubscriptions = {
	onSubscribe({ setSubscribeFn }: { readonly setSubscribeFn: (subscribe: () => ExecutionResult) => void }): void {
		const message = "Subscribe with a WebSocket at this address and the sub-protocol graphql-transport-ws.";
		setSubscribeFn(() => ({ errors: [new GraphQLError(message)] }));
	},
};

/** Reads the body within REST's limits. */
const reading = ({ bodies, persisted }: Services, callers: WeakMap<Request, Caller>) => ({
	onRequestParse({
		request,
		setRequestParser,
	}: {
		readonly request: Request;
		readonly setRequestParser: (parser: () => Promise<unknown>) => void;
	}): void {
		setRequestParser(async () => {
			const text = await bodies.text(request, "large");
			const caller = callers.get(request);
			if (caller) caller.call = keyedCall(request, text);
			return operationsOf(parseJson(text, valuesMax), persisted);
		});
	},
});

/** Serves other requests between two operations: each is parsed, validated and executed in its own turn. */
const yieldingBetweenOperations = (callers: WeakMap<Request, Caller>) => ({
	async onParams({ request }: Incoming): Promise<void> {
		const caller = callers.get(request);
		if (!caller) return;
		// The operations of a batch wait one by one, so a long batch alternates with other callers.
		caller.yielded = caller.yielded.then(yieldToOthers);
		await caller.yielded;
	},
});

/** Parses and validates by our own cache. The limits apply between the two, also to cached texts. */
const checking = (
	{ schema, documents }: Schemas,
	callers: WeakMap<Request, Caller>,
	{ introspection }: ApiSettings,
) => ({
	onParse({
		context: { request, params },
		extendContext,
		setParsedDocument,
	}: {
		readonly context: Incoming;
		readonly extendContext: (extension: Pick<Incoming, "checked">) => void;
		readonly setParsedDocument: (document: DocumentNode) => void;
	}): void {
		const checked = documents.read(params.query);
		const { document } = checked;
		extendContext({ checked });
		setParsedDocument(document);
		const definition = getOperationAST(document, params.operationName);
		const caller = callers.get(request);
		if (!definition || !caller) return;
		measure({ schema, document, definition, variables: params.variables ?? {}, introspection }, caller.totals);
	},
	onValidate({
		context: { checked },
		setResult,
	}: {
		readonly context: Incoming;
		readonly setResult: (errors: readonly GraphQLError[]) => void;
	}): void {
		setResult(checked.errors());
	},
});

type Execution = ExecutionArgs & { readonly contextValue: Incoming };

/**
 * A query is one Work: one transaction, one instant. In a mutation each root field is one (mutations.ts). Resolvers are
 * synchronous, as the database is.
 */
const answering = (services: Services, { mutations }: Schemas, callers: WeakMap<Request, Caller>) => ({
	onExecute({
		setExecuteFn,
	}: {
		readonly setExecuteFn: (execute: (args: Execution) => Promise<ExecutionResult>) => void;
	}): void {
		setExecuteFn(async ({ contextValue, ...args }) => {
			const caller = callers.get(contextValue.request);
			assert(caller, "an operation has a caller");
			const operation = getOperationAST(args.document, args.operationName);
			const isMutation = operation?.operation === OperationTypeNode.MUTATION;
			if (isMutation) caller.hasWritten = true;
			const run = async (): Promise<ExecutionResult> => {
				if (operation && isIntrospection(operation)) return execute({ ...args, contextValue: inParts });
				return isMutation
					? executeMutation({
							services,
							mutations,
							actor: caller.actor,
							cause: causeOf(services.senders, contextValue.request, null),
							budget: caller.budget,
							args,
							callOf: (field) => callOfField(caller, contextValue, field),
							onReplay: () => {
								caller.replayed = true;
							},
							countCall: countCallsOf(services.limits, caller),
							origin: originOf(services, contextValue.request),
						})
					: queryIn(services, caller, args);
			};
			// Waits for the previous operation, which may take several turns.
			const answered = caller.answered.then(run);
			caller.answered = answered.catch(() => undefined);
			const result = await answered;
			// A misspelled field is null as well, so the response lists unknown fields.
			const { unknownFields } = contextValue.checked;
			return unknownFields ? { ...result, extensions: { unknownFields } } : result;
		});
	},
});

/** On the writer's thread a query can see data that is not on disk yet. Its response waits until it is. */
async function queryIn(
	{ transactions, outgoing }: Services,
	{ actor, budget }: Caller,
	args: ExecutionArgs,
): Promise<ExecutionResult> {
	const { spent } = budget;
	const answer = await onceHere(() =>
		transactions.read(actor, (work) => {
			budget.resetTo(spent);
			return executeIn(new OperationContext(work, budget, undefined, outgoing), args);
		}),
	);
	await transactions.committed();
	return answer;
}

/** Always 200 and JSON, for all results and all `Accept` headers. */
const rendering = (services: Services, callers: WeakMap<Request, Caller>) => ({
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
		const failing = failingOf(services, requestIdOf(request));
		setResultProcessor((result) => {
			const caller = callers.get(request);
			const shown = Array.isArray(result)
				? result.map((each) => viewErrors(each, failing))
				: viewErrors(result, failing);
			const headers = { "content-type": "application/json;charset=utf-8", ...headersOf(caller) };
			try {
				return services.unread.respond(JSON.stringify(shown), { headers }, caller?.hasWritten);
			} catch (error) {
				if (!(error instanceof HttpRefusal)) throw error;
				return refused(request, error);
			}
		}, "application/json");
	},
});
