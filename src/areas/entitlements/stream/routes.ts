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
import type { Told } from "./watched";

const permit = { scope: "CUSTOMER:READ" } as const;

/** Our choice: how soon a key that was revoked, or a customer that was added, is seen. */
const lookEveryMs = 250;

interface Asked {
	/** Undefined: all of the environment. */
	readonly customerRefs: readonly string[] | undefined;
	readonly resourceRef: string | null;
	readonly isOnce: boolean;
}

/** Changes of entitlements, told as they happen; see the README for what is promised. */
export const entitlementStreamRoutes = (services: Services) =>
	new Elysia({ prefix: "/api/v1/stream", tags: ["Entitlements"], normalize: false }).use(identity(services)).get(
		"/entitlements",
		({ request, server, actor, query }) => {
			const connection = new Connection(services.streams, actor);
			const asked = askedOf(query);
			try {
				new Following(services, connection, actor, asked).begin(recheck(services, request, server, permit));
			} catch (error) {
				connection.end("INTERNAL_ERROR");
				throw error;
			}
			return new Response(connection.body, { headers: streamHeaders("text/event-stream") });
		},
		{ detail: operations.entitlements, permit, query: EntitlementStreamQuery },
	);

const askedOf = ({ customerId, resourceId, once }: EntitlementStreamQuery): Asked => ({
	customerRefs: queryValues(customerId)?.filter((ref) => ref !== ""),
	resourceRef: resourceId || null,
	isOnce: once === "true",
});

/** What one connection follows. */
class Following {
	readonly #services: Services;
	readonly #connection: Connection;
	readonly #actor: Actor;
	readonly #asked: Asked;
	/** Whom it follows, and whether it has been told of them. */
	readonly #isTold = new Map<string, boolean>();
	#isReady = false;
	#epoch: number | undefined;

	constructor(services: Services, connection: Connection, actor: Actor, asked: Asked) {
		this.#services = services;
		this.#connection = connection;
		this.#actor = actor;
		this.#asked = asked;
	}

	/** BadUserInput where there are more customers than one connection follows. */
	begin(assertMayRead: () => void): void {
		const refs = this.#asked.customerRefs ?? this.#ofEnvironment();
		if (refs.length > customersMax)
			throw fail(
				"BadUserInput",
				`query/customerId: the environment has more than ${customersMax} customers; name up to ${customersMax} of them.`,
			);
		this.#epoch = this.#services.transactions.epoch();
		for (const ref of refs) this.#follow(ref);
		this.#tellReady();
		const looking = setInterval(() => this.#look(assertMayRead), lookEveryMs);
		this.#connection.onEnd(() => clearInterval(looking));
	}

	#follow(customerRef: string): void {
		if (this.#isTold.has(customerRef)) return;
		this.#isTold.set(customerRef, false);
		const { environmentId } = this.#actor;
		const followed = { environmentId, customerRef, resourceRef: this.#asked.resourceRef };
		this.#connection.onEnd(this.#services.watching.follow(followed, (told) => this.#tell(told)));
	}

	#tell(told: Told): void {
		const isFirst = this.#isTold.get(told.customerId) === false;
		this.#connection.send(isFirst ? "snapshot" : "change", told);
		this.#isTold.set(told.customerId, true);
		if (isFirst) this.#tellReady();
	}

	/** Once, when all that was followed from the beginning has been told. */
	#tellReady(): void {
		if (this.#isReady || [...this.#isTold.values()].includes(false)) return;
		this.#isReady = true;
		this.#connection.send("ready", { at: toIso(this.#services.transactions.now(this.#actor.environmentId)) });
		if (this.#asked.isOnce) this.#connection.end("COMPLETE");
	}

	/** Whether the caller may still read it, and whether there are customers who came since. */
	#look(assertMayRead: () => void): void {
		try {
			assertMayRead();
		} catch {
			// Whatever the reason: who calls anew is told it.
			this.#connection.end("ACCESS_ENDED");
			return;
		}
		const epoch = this.#services.transactions.epoch();
		if (this.#asked.customerRefs || epoch === this.#epoch) return;
		this.#epoch = epoch;
		for (const ref of this.#ofEnvironment()) this.#follow(ref);
		if (this.#isTold.size > customersMax) this.#connection.end("TOO_MANY_CUSTOMERS");
	}

	/** One more than are followed, so that it shows when there are too many. */
	#ofEnvironment(): string[] {
		return this.#services.transactions.read(this.#actor, (work) => customerRefsUpTo(work, customersMax + 1));
	}
}
