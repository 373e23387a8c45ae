import { afterAll, beforeAll, describe, test } from "bun:test";
import { Stripe } from "stripe";
import { openStripe } from "../../../../../src/areas/collection/providers/stripe/adapter";
import { startStandIn } from "../../../../support/providers/stripe/server";
import type { StandIn } from "../../../../support/providers/stripe/stand-in";
import { type Behaviour, type Bench, providerSuite } from "../suite";

/** The ready payment methods of the provider's test mode. Sources: docs.stripe.com/testing. */
const methods: Readonly<Record<Behaviour, string>> = {
	pays: "pm_card_visa",
	declined: "pm_card_visa_chargeDeclined",
	"no funds": "pm_card_visa_chargeDeclinedInsufficientFunds",
	stolen: "pm_card_visa_chargeDeclinedStolenCard",
	expired: "pm_card_chargeDeclinedExpiredCard",
	authentication: "pm_card_authenticationRequired",
	disputed: "pm_card_createDispute",
};

/** Cards that pay are saved. The provider declines to save the others, so a payment names them directly. */
function benchOf(name: string, secretKey: string, baseUrl: string | null): Bench {
	const address = baseUrl === null ? undefined : new URL(baseUrl);
	const client = new Stripe(secretKey, {
		...(address && { host: address.hostname, port: address.port, protocol: "http" }),
	});
	return {
		...{ name, currency: "eur", provider: openStripe({ secretKey, baseUrl }) },
		stranger: openStripe({ secretKey: "sk_test_wrong", baseUrl }),
		method: async (behaviour) => {
			const { id: customerRef } = await client.customers.create({ name: "Test" });
			const ready = methods[behaviour];
			if (behaviour !== "pays") return { customerRef, methodRef: ready };
			const { id } = await client.paymentMethods.attach(ready, { customer: customerRef });
			return { customerRef, methodRef: id };
		},
	};
}

describe("against the stand-in", () => {
	let standIn: StandIn;
	let bench: Bench;
	beforeAll(() => {
		standIn = startStandIn({ seed: 7 });
		bench = benchOf("stand-in", standIn.secretKey, standIn.url);
	});
	afterAll(() => standIn.stop());
	providerSuite(() => bench);
});

const realKey = process.env.TOLLGATE_TEST_STRIPE_KEY;

if (realKey === undefined)
	test.skip("the suite against the real provider: set TOLLGATE_TEST_STRIPE_KEY=sk_test_… to run it", () => {});
else
	describe("against the real provider", () => {
		const bench = benchOf("real", realKey, null);
		providerSuite(() => bench);
	});
