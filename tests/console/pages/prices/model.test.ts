import { expect, test } from "bun:test";
import type { Charge } from "../../../../src/areas/packages/charges/schema";

/** The modules of the console choose a language when they are loaded. */
async function modelModule() {
	const storage = globalThis.localStorage;
	Object.assign(globalThis, { localStorage: { getItem: () => "en" } });
	Object.defineProperty(navigator, "languages", { value: ["en"], configurable: true });
	try {
		return await import("../../../../src/console/pages/prices/model");
	} finally {
		Object.assign(globalThis, { localStorage: storage });
	}
}

test.each(["EACH_EVENT", "PERIOD_END"] as const)(
	"the form keeps usage that each event charges (%s)",
	async (invoicing) => {
		const { editedOf, modelOf } = await modelModule();
		const charge = {
			...{ id: "one", billingModel: "USAGE_BASED", billingCadence: "RECURRING", billingPeriod: "MONTHLY" },
			...{ featureId: "calls", price: { amount: 1, currency: "usd" }, createdAt: "2026-01-01T00:00:00.000Z" },
			...{ paymentTime: "AT_EVENT", eventInvoicing: invoicing },
		} satisfies Charge;
		const [edited] = editedOf([charge]);
		expect(edited && "open" in edited).toBe(true);
		const { paymentTime, eventInvoicing } = edited ? modelOf(edited, "usd") : {};
		// The default is left out.
		expect([paymentTime, eventInvoicing]).toEqual(["AT_EVENT", invoicing === "PERIOD_END" ? invoicing : undefined]);
	},
);
