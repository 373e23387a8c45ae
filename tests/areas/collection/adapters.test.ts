import { afterAll, expect, test } from "bun:test";
import { openProvider } from "../../../src/areas/collection/adapters";
import { startStandIn } from "../../support/providers/stripe/server";
import { world } from "../../support/world";
import { collecting, collectorOf } from "./scripted";

const standIn = startStandIn({ port: 0, seed: 7 });
afterAll(() => standIn.stop());

test("the collector verifies credentials at the stand-in of the provider by its own client", async () => {
	const w = world();
	const send = (secretKey: string) =>
		collecting(
			collectorOf(w, openProvider),
			w.call("POST", "/provider-connections", {
				body: { kind: "STRIPE", name: "Cards", mode: "TEST", secretKey, baseUrl: standIn.url },
			}),
		);
	const refused = await send("sk_test_of_nobody");
	expect([refused.status, refused.body.code]).toEqual([400, "PaymentProviderError"]);
	expect(refused.body.message).toStartWith("The provider rejects 'secretKey': ");
	expect((await w.call("GET", "/provider-connections")).body.data).toEqual([]);
	const made = await send(standIn.account.secretKey);
	expect([made.status, made.body.data.mode]).toEqual([201, "TEST"]);
});
