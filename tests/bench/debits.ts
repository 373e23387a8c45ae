import { eventually, testKey } from "../support/process";
import { addCustomers, digits, publish, stock, subscribe } from "./catalogue";
import { advance, alongChanges, textOf } from "./pricing/measures";
import type { Row } from "./row";
import { ms, ok, whole, withServer } from "./serving";

const debits = Number(process.env.BENCH_DEBITS ?? 10_000);

const mandate = { iban: "DE02120300000000202051", signedOn: "2029-12-15" };

/** A file of direct debits, made by its task and downloaded, while a customer is changed again and again. */
export const measureDebits = (): Promise<Row[]> =>
	withServer(async (server) => {
		await ok(server, "POST", "/environments/current/clock", { now: "2030-01-01T00:00:00Z" });
		await stock(server);
		const price = { billingPeriod: "MONTHLY", price: { amount: 20, currency: "eur" } };
		const charges = { pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods: [price] }] };
		await ok(server, "POST", "/plans", { id: "euro", displayName: "Euro", productId: "app" });
		await ok(server, "PATCH", "/plans/euro", { charges });
		await publish(server, "euro");
		const [entity] = await ok(server, "GET", "/legal-entities");
		await ok(server, "PATCH", `/legal-entities/${entity.id}`, { bankAccount: { iban: "DE75512108001245126199" } });
		await ok(server, "PUT", `/direct-debit-creditors/${entity.id}`, { creditorId: "DE98ZZZ09999999999" });
		await addCustomers(server, debits);
		for (let at = 0; at < debits; at += 1)
			await ok(server, "POST", "/mandates", { ...mandate, customerId: `c-${digits(at)}`, reference: `M-${at}` });
		await subscribe(server, "euro", debits);
		// Imported subscriptions are paid until their renewal.
		await advance(server, Date.parse("2030-02-01T12:00:00Z"));
		let fileId = "";
		const making = await alongChanges(server, async () => {
			({ fileId } = await ok(server, "POST", "/direct-debit-files", { collectUntil: "2030-02-28" }));
			const path = `/direct-debit-files/${fileId}`;
			await eventually(async () => (await ok(server, "GET", path)).state === "READY" || undefined, 600_000);
		});
		const began = performance.now();
		const document = `${server.url}/api/v1/direct-debit-files/${fileId}/document`;
		const text = await (await fetch(document, { headers: { "x-api-key": testKey } })).text();
		if (text.split("<EndToEndId>").length !== debits + 1)
			throw new Error(`The file has ${text.split("<EndToEndId>").length - 1} debits.`);
		return [
			{ work: `a pain.008 of ${whole(debits)} debits, made`, here: textOf(making), goal: "50,000 in 10 s" },
			{ work: "the same, downloaded", here: ms(performance.now() - began) },
		];
	});
