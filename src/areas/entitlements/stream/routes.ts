import { Elysia } from "elysia";
import { recheck } from "../../../http/authentication/recheck";
import { identity } from "../../../http/identity";
import { streamHeaders } from "../../../http/responses/streams";
import { toIso } from "../../../kernel/clock";
import { fail } from "../../../kernel/errors";
import { queryValues } from "../../../kernel/query";
import type { Actor } from "../../../kernel/work";
import type { Services } from "../../../server/context";
import { customerRefsUpTo } from "../../customers/operations";
import { Connection } from "./connection";
import { streamOperations as operations } from "./openapi";
import { customersMax, EntitlementStreamQuery } from "./schema";
import type { EntitlementUpdate } from "./watched";

const permit = { scope: "CUSTOMER:READ" } as const;

/** The pause between checks for revoked keys and new customers. */
const lookEveryMs = 250;

interface StreamFilter {
	/** Undefined: all customers of the environment. */
	readonly customerRefs: readonly string[] | undefined;
	readonly resourceRef: string | null;
	readonly isOnce: boolean;
}

/** Streams changes of entitlements as server-sent events. */
export const entitlementStreamRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/stream", tags: ["Entitlements"], normalize: false }).use(identity(services)).get(
		"/entitlements",
		({ request, server, actor, query }) => {
			const connection = new Connection(services.streams, actor);
			const filter = filterOf(query);
			try {
				new Following(services, connection, actor, filter).begin(recheck(services, request, server, permit));
			} catch (error) {
				connection.end("INTERNAL_ERROR");
				throw error;
			}
			return new Response(connection.body, { headers: streamHeaders("text/event-stream") });
		},
		{ detail: operations.entitlements, permit, query: EntitlementStreamQuery },
	);

const filterOf = ({ customerId, resourceId, once }: EntitlementStreamQuery): StreamFilter => ({
	customerRefs: queryValues(customerId)?.filter((ref) => ref !== ""),
	resourceRef: resourceId || null,
	isOnce: once === "true",
});

/** The customers that one connection follows. */
class Following {
	readonly #services: Services;
	readonly #connection: Connection;
	readonly #actor: Actor;
	readonly #filter: StreamFilter;
	/** Followed customers, and whether their snapshot was sent. */
	readonly #isSent = new Map<string, boolean>();
	#isReady = false;
	#epoch: number | undefined;

	constructor(services: Services, connection: Connection, actor: Actor, filter: StreamFilter) {
		this.#services = services;
		this.#connection = connection;
		this.#actor = actor;
		this.#filter = filter;
	}

	/** Starts the stream. Throws BadUserInput for more customers than one connection follows. */
	begin(assertMayRead: () => void): void {
		const refs = this.#filter.customerRefs ?? this.#ofEnvironment();
		if (refs.length > customersMax)
			throw fail(
				"BadUserInput",
				`query/customerId: the environment has more than ${customersMax} customers; send up to ${customersMax} customer ids.`,
			);
		this.#epoch = this.#services.transactions.epoch();
		for (const ref of refs) this.#follow(ref);
		this.#sendReady();
		const timer = setInterval(() => this.#refresh(assertMayRead), lookEveryMs);
		this.#connection.onEnd(() => clearInterval(timer));
	}

	#follow(customerRef: string): void {
		if (this.#isSent.has(customerRef)) return;
		this.#isSent.set(customerRef, false);
		const { environmentId } = this.#actor;
		const followed = { environmentId, customerRef, resourceRef: this.#filter.resourceRef };
		this.#connection.onEnd(this.#services.watching.follow(followed, (update) => this.#send(update)));
	}

	#send(update: EntitlementUpdate): void {
		const isFirst = this.#isSent.get(update.customerId) === false;
		this.#connection.send(isFirst ? "snapshot" : "change", update);
		this.#isSent.set(update.customerId, true);
		if (isFirst) this.#sendReady();
	}

	/** Sends `ready` once, after the snapshots of all initial customers. */
	#sendReady(): void {
		if (this.#isReady || [...this.#isSent.values()].includes(false)) return;
		this.#isReady = true;
		this.#connection.send("ready", { at: toIso(this.#services.transactions.now(this.#actor.environmentId)) });
		if (this.#filter.isOnce) this.#connection.end("COMPLETE");
	}

	/** Ends the stream if the caller has lost access, and follows new customers. */
	#refresh(assertMayRead: () => void): void {
		try {
			assertMayRead();
		} catch {
			// The next request returns the reason.
			this.#connection.end("ACCESS_ENDED");
			return;
		}
		const epoch = this.#services.transactions.epoch();
		if (this.#filter.customerRefs || epoch === this.#epoch) return;
		this.#epoch = epoch;
		for (const ref of this.#ofEnvironment()) this.#follow(ref);
		if (this.#isSent.size > customersMax) this.#connection.end("TOO_MANY_CUSTOMERS");
	}

	/** Returns one customer more than can be followed, which shows that there are too many. */
	#ofEnvironment(): string[] {
		return this.#services.transactions.read(this.#actor, (work) => customerRefsUpTo(work, customersMax + 1));
	}
}
