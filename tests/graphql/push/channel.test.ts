import { expect, test } from "bun:test";
import { buildSchema, getOperationAST, parse } from "graphql";
import type { KnownActor, Scope } from "../../../src/areas/access/rules.actors";
import { Channel } from "../../../src/graphql/push/channel";
import type { Subscription } from "../../../src/graphql/push/subscription";
import type { OperationContext } from "../../../src/graphql/request/context";
import { world } from "../../support/world";

test("a connection with fewer permissions pushes by its own, alongside a connection with the former ones", async () => {
	const { services, environmentId, actor } = world();
	const document = parse("subscription { seen }");
	const definition = getOperationAST(document);
	const schema = buildSchema("type Query { no: Int } type Subscription { seen: String }");
	const subscription = { schema, document, definition, field: "seen", variables: {} } as unknown as Subscription;
	const ada = (...scopes: Scope[]): KnownActor => ({
		...{ kind: "USER", id: "ada", accountId: actor.accountId, environmentId, scopes: new Set(scopes) },
	});
	const channel = new Channel(services);
	const rights = (context: OperationContext) => [...context.work.actor.scopes].join();
	const listeners = [ada("CUSTOMER:READ", "CREDIT:READ"), ada("CUSTOMER:READ"), ada("CUSTOMER:READ")].map((one) =>
		channel.add(subscription, one, () => {}),
	);
	channel.emit({ seen: (_: unknown, context: OperationContext) => rights(context) });
	const received = await Promise.all(listeners.map((one) => one.next()));
	expect(received.map(({ value }) => value?.data?.seen)).toEqual([
		"CUSTOMER:READ,CREDIT:READ",
		"CUSTOMER:READ",
		"CUSTOMER:READ",
	]);
});
