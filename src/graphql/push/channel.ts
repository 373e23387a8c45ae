import { type ExecutionResult, GraphQLError } from "graphql";
import type { Actor } from "../../kernel/work";
import type { Services } from "../../server/context";
import { Budget } from "../request/budget";
import { OperationContext } from "../request/context";
import { failingOf, viewErrors } from "../request/errors";
import { yieldToOthers } from "../request/event-loop";
import { executeIn } from "../request/execute";
import { rightsOf } from "./sockets";
import { Subscriber } from "./subscriber";
import type { Subscription } from "./subscription";

/** The number of subscribers in one turn of the event loop, a few milliseconds of work. */
const subscribersPerTurn = 100;

/** Subscribers with the same text, values and rights, who receive the same result. */
interface Group {
	readonly subscription: Subscription;
	readonly actor: Actor;
	readonly subscribers: Set<Subscriber>;
}

type ChannelOptions = Pick<Services, "transactions" | "log" | "api" | "meter">;

/** A root field in an environment. Each event is executed once for each group and sent to all its subscribers. */
export class Channel {
	readonly #options: ChannelOptions;
	readonly #groups = new Map<string, Group>();
	/** The delivery that takes more than one turn. The next event waits for it. */
	#delivering: Promise<void> | undefined;

	constructor(options: ChannelOptions) {
		this.#options = options;
	}

	get isEmpty(): boolean {
		return this.#groups.size === 0;
	}

	add(subscription: Subscription, actor: Actor, onEnd: () => void): Subscriber {
		const { id, definition, variables } = subscription;
		const name = `${rightsOf(actor)} ${actor.id} ${id} ${definition.name?.value} ${JSON.stringify(variables)}`;
		const group = this.#groups.get(name) ?? { subscription, actor, subscribers: new Set() };
		this.#groups.set(name, group);
		const subscriber = new Subscriber((ended) => {
			group.subscribers.delete(ended);
			if (group.subscribers.size === 0) this.#groups.delete(name);
			onEnd();
		});
		group.subscribers.add(subscriber);
		return subscriber;
	}

	/** Undefined when all subscribers were served at once. */
	emit(event: object): Promise<void> | undefined {
		const deliveries = this.#deliveriesOf(event);
		if (!this.#delivering && advance(deliveries)) return undefined;
		const delivering = finish(deliveries, this.#delivering);
		this.#delivering = delivering;
		void delivering.then(() => {
			if (this.#delivering === delivering) this.#delivering = undefined;
		});
		return delivering;
	}

	*#deliveriesOf(event: object): Generator<void> {
		for (const group of [...this.#groups.values()]) {
			const result = this.#answer(group, event);
			for (const subscriber of group.subscribers) {
				subscriber.push(result);
				yield;
			}
		}
	}

	#answer({ subscription, actor }: Group, event: object): ExecutionResult {
		const { transactions } = this.#options;
		const failing = failingOf(this.#options, crypto.randomUUID());
		const { schema, document, definition, variables } = subscription;
		try {
			const result = transactions.read(actor, (work) =>
				executeIn(new OperationContext(work, new Budget()), {
					...{ schema, document, rootValue: event, variableValues: variables },
					...(definition.name && { operationName: definition.name.value }),
				}),
			);
			return viewErrors(result, failing);
		} catch (error) {
			return viewErrors({ errors: [new GraphQLError("failed", { originalError: error as Error })] }, failing);
		}
	}
}

/** Serves the subscribers of one turn. Returns whether that was all. */
function advance(deliveries: Generator<void>): boolean {
	for (let served = 0; served < subscribersPerTurn; served += 1) if (deliveries.next().done) return true;
	return false;
}

async function finish(deliveries: Generator<void>, before: Promise<void> | undefined): Promise<void> {
	await before;
	do await yieldToOthers();
	while (!advance(deliveries));
}
