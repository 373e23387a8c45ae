import { expect, setDefaultTimeout, test } from "bun:test";
import { randomOf } from "../random";
import { simulateCredits } from "./simulate";

// Each simulated subscription is dozens of requests on a data folder of its own.
setDefaultTimeout(300_000);

test("credits of simulated subscriptions have the balance, the revenue and the invoices that the oracle calculates", async () => {
	for (let seed = 1; seed <= 12; seed += 1)
		expect(
			await simulateCredits(randomOf(seed)).then((difference) => difference && `seed ${seed}: ${difference}`),
		).toBeUndefined();
});
