import { Elysia } from "elysia";
import { assertAllowed, type Requirement } from "../areas/access/rules";
import type { Scope } from "../areas/access/rules.actors";
import { onceHere } from "../kernel/storage/failures";
import type { Sync, Work } from "../kernel/work";
import { permitted } from "../openapi/operation";
import type { Services } from "../server/context";
import type { WriteAnswer, WriteInput, WriteName } from "../server/writer-calls";
import type { Caller } from "./authentication/authenticator";
import { assertContentType, parseJson } from "./body";
import { bodySizeOf, valuesMaxOf } from "./body-sizes";
import { causeOf } from "./causes";
import type { Peers } from "./client-address";
import { entityKey, type LimitedEntity } from "./limits/limits";
import { type Guard, keyedCall, runOnce, writeOnce } from "./responses/idempotency";

export interface Permit extends Requirement {
	/**
	 * Counts the call against the entity's limit of 30 a minute (docs/interface/http.md), or the limit of the customer's
	 * link.
	 */
	readonly limitedBy?: LimitedEntity | "session";
	/** The path parameter that names a customer. With client hardening a publishable key must prove it. */
	readonly customer?: string;
	/** "text" passes the body unparsed, for routes that another thread reads. */
	readonly body?: "json" | "text";
	/** The handler calls the writer by name for its writes, so only one thread routes the request. */
	readonly asksWriter?: boolean;
	/** The accepted content types of a text body; "any" if the route checks them. The default is JSON. */
	readonly contentTypes?: readonly string[] | "any";
	/** The response may take longer than the idle timeout of a connection. */
	readonly takesLong?: boolean;
	/** The query parameter with which the call is read-only, so that any thread answers it. */
	readonly onlyReadsWith?: string;
}

/** The state of a request before its handler runs. */
interface Call {
	caller: Caller;
	admitted: boolean;
	text: string;
}

interface Incoming {
	readonly request: Request;
	readonly server: Peers | null;
	readonly route: string;
	readonly params: Readonly<Record<string, string>> | undefined;
	readonly set: { headers: Record<string, string | number | undefined | string[]> };
}

/**
 * Checks a request in the order of docs/interface/http.md: authentication (401), permission (403), rate limit (429),
 * then path, query and body (400), then existence, then rules. Gives each handler its caller's transactions: `read`,
 * `write` (answers 200) and `create` (answers 201). The answer is built inside the transaction, so that an
 * `Idempotency-Key` stores it in the same transaction.
 */
export const identity = (
	{ transactions, authenticator, senders, limits, bodies, write: askWriter }: Services,
	/** Whether the routes belong to an environment or to an account. */
	belongsTo: "environment" | "account" = "environment",
) => {
	const ofAccount = belongsTo === "account";
	const calls = new WeakMap<Request, Call>();

	const callOf = (request: Request, server: Peers | null): Call => {
		const known = calls.get(request);
		if (known) return known;
		const caller = authenticator.caller(request.headers, () => senders.of(request, server).address, ofAccount);
		const call = { caller, admitted: false, text: "" };
		calls.set(request, call);
		return call;
	};

	const countLimit = (call: Call, { limitedBy }: Permit, { request, route, params, set }: Incoming, body: unknown) => {
		const { actor } = call.caller;
		const entity = limitedBy === "session" ? actor.id : limitedBy && entityKey(limitedBy, params ?? {}, body);
		if (entity === undefined) return;
		limits.count(actor, route, request.method, entity, (headers) => Object.assign(set.headers, headers));
	};

	/**
	 * Checks the permission, then the limit of an entity in the path. The limit of an entity in the body waits until the
	 * body is read.
	 */
	const admit = (permit: Permit, incoming: Incoming): Call => {
		const call = callOf(incoming.request, incoming.server);
		if (call.admitted) return call;
		const customerId = permit.customer === undefined ? undefined : incoming.params?.[permit.customer];
		authenticator.assertCustomer(call.caller, permit, incoming.request.headers, customerId);
		assertAllowed(call.caller.actor, permit);
		if (permit.limitedBy !== "customer-resource") countLimit(call, permit, incoming, undefined);
		call.admitted = true;
		return call;
	};

	return new Elysia({ name: `identity of ${belongsTo}` })
		.derive({ as: "scoped" }, ({ request, server, set, status }) => {
			const { actor } = callOf(request, server).caller;
			const cause = () => causeOf(senders, request, server);
			// Built when the handler runs, because it needs the body's text.
			const guard = (): Guard => ({
				transactions,
				actor,
				cause: cause(),
				call: keyedCall(request, callOf(request, server).text),
				onReplay: () => {
					set.headers["idempotent-replayed"] = "true";
				},
			});
			return {
				actor,
				/** The cause of the handler's writes. */
				cause,
				read: <T>(body: (work: Work) => T, ...sync: Sync<T>): T | Promise<Awaited<T>> =>
					onceHere(() => transactions.read(actor, body, ...sync)),
				write: <T>(body: (work: Work) => T, ...sync: Sync<T>): Promise<T> => writeOnce(guard(), 200, body, ...sync),
				create: async <T>(body: (work: Work) => T, ...sync: Sync<T>) =>
					status(201, await writeOnce(guard(), 201, body, ...sync)),
				/**
				 * For routes that call the writer by name. With an `Idempotency-Key` the answer is stored in the transaction,
				 * on the writer itself.
				 */
				ask: async <Name extends WriteName>(
					name: Name,
					input: WriteInput<Name>,
					body: (work: Work) => WriteAnswer<Name>,
				): Promise<WriteAnswer<Name>> => {
					if (!request.headers.has("idempotency-key")) return askWriter(actor, name, input);
					return (await writeOnce(guard(), 200, (work) => ({ answer: body(work) }))).answer;
				},
				/** For routes that write outside main.db. */
				once: <T>(run: () => Promise<T>): Promise<T> => runOnce(guard(), run),
			};
		})
		.macro("permit", (given: Scope | Permit) => {
			// Frozen: the framework merges the permits of a route's next composition into this one, for example for the OpenAPI document.
			const permit: Permit = Object.freeze({
				...(typeof given === "string" ? { scope: given } : given),
				...(ofAccount && { ofAccount }),
			});
			return {
				detail: permitted(permit),
				// Runs before the body is parsed, so an unauthorized caller learns nothing about it. Arrow functions with named
				// parameters: the framework reads the source of its hooks, also after minification, and would build the whole
				// context, cookies included, for a hook that takes it.
				parse: async ({ request, server, route, params, set }) => {
					const incoming = { request, server, route, params, set };
					const call = admit(permit, incoming);
					const size = bodySizeOf(request.method, route);
					call.text = await bodies.text(request, size);
					if (permit.contentTypes !== "any") assertContentType(request, call.text, permit.contentTypes);
					if (permit.body === "text") return call.text;
					const body = parseJson(call.text, valuesMaxOf[size]);
					if (permit.limitedBy === "customer-resource") countLimit(call, permit, incoming, body);
					return body;
				},
				// Requests without a body skip the parse step.
				transform: ({ request, server, route, params, set }) => {
					admit(permit, { request, server, route, params, set });
				},
			};
		});
};
