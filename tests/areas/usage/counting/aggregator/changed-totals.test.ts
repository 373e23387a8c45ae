import { expect, test } from "bun:test";
import { Aggregator, type ChangedTotals } from "../../../../../src/areas/usage/counting/aggregator";
import { Epochs } from "../../../../../src/kernel/storage/epochs";
import { count, event, ground } from "../../ground";

test("reports the customers whose totals have changed, and all customers when a meter has caught up", () => {
	const site = ground();
	const [acme, other] = [site.customer("acme"), site.customer("other")];
	site.meter("calls", count);
	const reported: ChangedTotals[] = [];
	const aggregator = new Aggregator({ folder: site.folder, onChanged: (of) => reported.push(of) });
	site.take([event({ idempotencyKey: "first" })]);
	aggregator.run();
	expect(reported).toContain("all");
	reported.length = 0;
	site.take([event({ idempotencyKey: "1" }), event({ idempotencyKey: "2" })]);
	aggregator.run();
	expect(reported).toEqual([new Set([acme])]);
	reported.length = 0;
	site.take([event({ customerId: "other", idempotencyKey: "1" }), event({ idempotencyKey: "3" })]);
	aggregator.run();
	expect(reported).toEqual([new Set([acme, other])]);
	aggregator.close();
});

test("the usage of a customer has a version of its own, which all threads see", () => {
	const epochs = new Epochs();
	const elsewhere = new Epochs(epochs.memory);
	const customers = Array.from({ length: 1000 }, (_, at) => `customer ${at}`);
	const watched = () => customers.map((customer) => elsewhere.watchUsage(customer));
	const before = watched();
	epochs.counted(new Set(["customer 7"]));
	const changed = before.filter((hasNew) => hasNew());
	expect(before[7]?.()).toBe(true);
	// A thousand share the 65,536 places.
	expect(changed.length).toBeLessThan(20);
	const all = watched();
	expect(all.some((hasNew) => hasNew())).toBe(false);
	epochs.counted("all");
	expect(all.every((hasNew) => hasNew())).toBe(true);
});
