import { yoga } from "@elysiajs/graphql-yoga";
import { Elysia } from "elysia";
import {
	type ExecutionArgs,
	type ExecutionResult,
	execute,
	executeSync,
	GraphQLError,
	getOperationAST,
	OperationTypeNode,
} from "graphql";
import { assertAllowed } from "../../areas/access/rules";
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
import { type Known, lenientIn, limiting, rememberDocuments, validating } from "./documents";
import { countCallsOf } from "./entity-limits";
import { failingOf, throwAwaited, viewErrors } from "./errors";
import { yieldToOthers } from "./event-loop";
import { batchMax, valuesMax } from "./limits";
import { executeMutation } from "./mutations";
import { operationsOf } from "./request";

/**
 * `POST /graphql` (endpoint 8). Who may not call gets the interface's 401 or 403 (Authentication, rules 3 and 4); what is no
 * JSON gets 415; every other answer is 200 with `data` and `errors`, since the known clients lose the code with any other status, and retry
 * most of them (docs/interface/graphql.md).
 */
export function endpoint(services: Services, schemas: Schemas): Elysia {
	const callers = new WeakMap<Request, Caller>();
	const known: Known = new WeakMap();
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
			yieldingBetweenOperations(callers),
			limiting(schemas, callers, known, services.api),
			validating(schemas, known),
			answering(services, schemas, callers, known),
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
				// Any server key may call; what it sees is decided field by field (Authentication, rules 2 and 4).
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

/** The error body of REST, and alongside it the `errors` that a GraphQL client looks for. */
function turnAway(request: Request, { message, code }: DomainError, status: number = statusByCode[code]): Response {
	const traceId = requestIdOf(request);
	return Response.json(
		{ message, code, errors: [{ message, extensions: { code, traceId } }] },
		{ status, headers: { "x-request-id": traceId } },
	);
}

/** The same, for an answer that no code of the catalogue is about. */
function refused(request: Request, { status, message, headers }: HttpRefusal): Response {
	const traceId = requestIdOf(request);
	return Response.json(
		{ message, code: null, errors: [{ message, extensions: { code: "UnexpectedError", traceId } }] },
		{ status, headers: { ...headers, "x-request-id": traceId } },
	);
}

/** What sends no JSON is no client of GraphQL: 415 (docs/interface/graphql.md). */
async function otherTypeRefused({ bodies }: Services, request: Request): Promise<Response | undefined> {
	// A body that is refused for something else is refused where it is read.
	const text = await bodies.text(request, "large").catch(() => "");
	try {
		assertContentType(request, text);
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		return turnAway(request, error, 415);
	}
	return undefined;
}

/** What is pushed is not told by an HTTP answer (push/). */
const refusingSubscriptions = {
	onSubscribe({ setSubscribeFn }: { readonly setSubscribeFn: (subscribe: () => ExecutionResult) => void }): void {
		const message = "Subscribe by a WebSocket at this address, with the sub-protocol graphql-transport-ws.";
		setSubscribeFn(() => ({ errors: [new GraphQLError(message)] }));
	},
};

/** The body, with REST's own bounds. */
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

/** Between two operations others are served: each is parsed, checked and answered in a turn of its own. */
const yieldingBetweenOperations = (callers: WeakMap<Request, Caller>) => ({
	async onParams({ request }: Incoming): Promise<void> {
		const caller = callers.get(request);
		if (!caller) return;
		// One operation of a batch waits at a time: a long batch takes turns with other callers.
		caller.yielded = caller.yielded.then(yieldToOthers);
		await caller.yielded;
	},
});

type Execution = ExecutionArgs & { readonly contextValue: Incoming };

/**
 * A query is one Work: one transaction, one instant. Of a mutation each field of the root is one (mutations.ts). Resolvers
 * are synchronous, as the database is.
 */
const answering = (
	services: Services,
	{ shown, lenient, mutations }: Schemas,
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
			const operation = getOperationAST(args.document, args.operationName);
			const isMutation = operation?.operation === OperationTypeNode.MUTATION;
			if (isMutation) caller.hasWritten = true;
			const run = async (): Promise<ExecutionResult> => {
				if (operation && isIntrospection(operation)) return execute({ ...args, schema, contextValue: inParts });
				return isMutation
					? executeMutation({
							services,
							mutations,
							actor: caller.actor,
							cause: causeOf(services.senders, contextValue.request, null),
							budget: caller.budget,
							args: { ...args, schema },
							callOf: (field) => callOfField(caller, contextValue, field),
							onReplay: () => {
								caller.replayed = true;
							},
							countCall: countCallsOf(services.limits, caller),
							origin: originOf(services, contextValue.request),
						})
					: queryIn(services, caller, { ...args, schema });
			};
			// What the operation before does comes first, also where it takes several turns.
			const answered = caller.answered.then(run);
			caller.answered = answered.catch(() => undefined);
			const result = await answered;
			// A typing error answers null as well: this tells whoever looks.
			return reduced ? { ...result, extensions: { unknownFields: reduced.unknown } } : result;
		});
	},
});

/** Alongside a mutation, on the thread that writes, it may see what is not on disk yet: it is answered once that is. */
async function queryIn(
	{ transactions, outgoing }: Services,
	{ actor, budget }: Caller,
	args: ExecutionArgs,
): Promise<ExecutionResult> {
	const { spent } = budget;
	const answer = await onceHere(() =>
		transactions.read(actor, (work) => {
			budget.resetTo(spent);
			const context = new OperationContext(work, budget, undefined, outgoing);
			const result = executeSync({ ...args, contextValue: context });
			context.assertWhole();
			throwAwaited(result.errors);
			return result;
		}),
	);
	await transactions.committed();
	return answer;
}

/** Always 200 and JSON, whatever the operation came to and whatever the caller accepts. */
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
