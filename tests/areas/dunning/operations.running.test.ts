import { expect, test } from "bun:test";
import { checkCases } from "../../../src/areas/dunning/operations.check";
import type { Answer } from "../../support/world";
import { chargedSite } from "./charged";
import { dunningSite } from "./site";

/** A plan in the currency of SEPA. */
async function inEuro({ send }: Awaited<ReturnType<typeof chargedSite>>): Promise<void> {
	const [{ productId }] = (await send("GET", "/plans")).data;
	await send("POST", "/plans", { id: "euro", displayName: "Euro", productId });
	const pricePeriods = [{ billingPeriod: "MONTHLY", price: { amount: 20, currency: "eur" } }];
	const charges = { pricingType: "PAID", pricingModels: [{ billingModel: "FLAT_FEE", pricePeriods }] };
	await send("PATCH", "/plans/euro", { charges });
	await send("POST", "/plans/euro/publish", { migrationType: "NEW_CUSTOMERS" });
}

/** Lets the seller collect from a customer by direct debit. */
async function collectedFrom(
	{ send }: { send(method: string, path: string, body?: object): Promise<Answer["body"]> },
	customerId: string,
) {
	const [entity] = (await send("GET", "/legal-entities")).data;
	await send("PATCH", `/legal-entities/${entity.id}`, { bankAccount: { iban: "DE75512108001245126199" } });
	await send("PUT", `/direct-debit-creditors/${entity.id}`, { creditorId: "DE98ZZZ09999999999" });
	const mandate = { customerId, iban: "DE02120300000000202051", signedOn: "2026-01-15", reference: "M-1" };
	expect((await send("POST", "/mandates", mandate)).status).toBe(201);
}

test("an invoice that a direct debit collects is charged by no other way, and its schedule goes on where the debit is canceled", async () => {
	const site = await chargedSite(["RETRY_LATER"]);
	await inEuro(site);
	await site.sell({ planId: "euro" });
	const { invoiceId } = await site.only();
	await collectedFrom(site, "acme");
	const debit = await site.send("POST", "/direct-debits", { invoiceId });
	expect(debit).toMatchObject({ data: { state: "PLANNED" } });

	await site.until("2026-02-06T00:00:00Z");
	expect(await site.tries()).toEqual(["ISSUE FAILED 2026-02-02T12:00:00.000Z"]);
	await site.saveMethod("pm_2");
	await site.settle();
	expect(await site.tries()).toHaveLength(1);
	expect(await site.send("POST", "/attempts", { invoiceId })).toMatchObject({ status: 409 });

	await site.send("POST", `/direct-debits/${debit.data.debitId}/cancel`);
	await site.until("2026-02-07T00:00:00Z");
	expect(await site.tries()).toEqual([
		"ISSUE FAILED 2026-02-02T12:00:00.000Z",
		"RETRY FAILED 2026-02-06T07:00:00.000Z",
	]);
});

test("nobody is reminded of an invoice that a direct debit collects, and the policy does not end; after its return, the step that is due runs", async () => {
	const site = await dunningSite({ end: { action: "LEAVE_OPEN", afterDays: 20 }, reminders: [-3, 0, 7] });
	await collectedFrom(site, "cust-1");
	const invoice = await site.bill("2026-02-05", { currency: "eur" });
	const [debit] = (await site.send("GET", "/direct-debits")).data;
	expect(debit).toMatchObject({ state: "PLANNED", invoiceId: invoice.id });
	await site.advance("2026-03-10T12:00:00Z");
	expect(await site.steps(invoice.id)).toEqual([]);
	expect(await site.mails()).toEqual([]);
	expect(await site.shown(invoice.id)).toMatchObject({
		case: { state: "REMINDING", next: { kind: "REMINDER", at: "2026-03-11T07:00:00.000Z" } },
		explanation: expect.arrayContaining([
			`A direct debit collects the invoice on ${debit.collectionOn}; no step runs until it ends.`,
		]),
	});
	expect(site.transactions.read(site.actor, (work) => [...checkCases(work)])).toEqual([]);
	await site.send("POST", `/direct-debits/${debit.debitId}/cancel`);
	await site.advance("2026-03-11T12:00:00Z");
	expect(await site.steps(invoice.id)).toEqual([
		"REMINDER -3 SKIPPED 2026-03-11T07:00:00.000Z",
		"REMINDER 0 SKIPPED 2026-03-11T07:00:00.000Z",
		"REMINDER 7 DONE 2026-03-11T07:00:00.000Z",
	]);
	expect(await site.shown(invoice.id)).toMatchObject({
		case: { next: { kind: "END", at: "2026-03-24T07:00:00.000Z" } },
	});
});
