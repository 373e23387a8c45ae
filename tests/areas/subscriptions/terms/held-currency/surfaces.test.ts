import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { exportCatalogue } from "../../../../../src/areas/catalog/operations.export";
import { writeCatalogue } from "../../../../../src/areas/catalog/rules.file";
import { viewDifference } from "../../../../../src/areas/catalog/rules.summary";
import { ask, codes, data } from "../../../../graphql/ask";
import { apply } from "../../../catalog/files";
import { checkoutOf, portalOf } from "../../../portal/links";
import { draft, simulate } from "../../../simulations/simulation";
import { calls, design, euros, fee, living, type Market, market, priced, type Row, setup } from "./market";

setDefaultTimeout(60_000);

const file = (ours: Market) => writeCatalogue(ours.transactions.read(ours.actor, exportCatalogue), "yaml");
const amountsOf = (charges: ReadonlyArray<{ price: { amount: number; currency: string } }>) =>
	charges.map(({ price }) => `${price.amount} ${price.currency}`);

test("a plan shows all its prices, and its file brings them back, with the first currency first", async () => {
	const ours = await market();
	const rows: readonly Row[] = [
		[10, "usd"],
		[9, "eur"],
		[8, "chf"],
		[8.5, "eur", "DE"],
	];
	// Canonical order would begin with the fee; the first currency of the list is that of the usage, dollars.
	await ours.plan("pro", [calls([0.1, "usd"], [0.09, "eur"]), fee(...[...rows].reverse())]);
	const { charges } = await ours.insist("GET", "/plans/pro");
	expect(charges).toBeUndefined();
	expect(amountsOf(await ours.insist("GET", "/plans/pro/charges"))).toHaveLength(6);
	const text = file(ours);
	expect(apply(ours, text).changes).toEqual([]);
	const other = await market();
	apply(other, text);
	expect(file(other)).toBe(text);
	expect(await other.sell()).toBe("10 usd");
	expect(await other.sell({ billingCurrency: "eur" })).toBe("9 eur");
	const changed = text.replace(/amount: 9\b(?!\.)/, "amount: 9.5");
	expect(viewDifference(apply(ours, changed), true)).toContain("pricePeriods[MONTHLY eur].price");
	expect(await ours.sell({}, { billingCurrency: "eur" })).toBe("9.5 eur");
});

test("the dry run of a publication shows a currency that is added or left out as a price of its own", async () => {
	const ours = await market([10, "usd"]);
	const changes = async (...rows: Row[]) => {
		await draft(ours, "pro", fee(...rows));
		const { impact } = await ours.insist("POST", "/plans/pro/publish?dryRun=true", { migrationType: "ALL_CUSTOMERS" });
		return impact.charges.map(
			({ change, before, after }: Record<string, { price: { amount: number; currency: string } }>) =>
				[change, ...[before, after].map((terms) => terms && `${terms.price.amount} ${terms.price.currency}`)].join(" "),
		);
	};
	expect(await changes([10, "usd"], [9, "eur"])).toEqual(["ADDED  9 eur"]);
	expect(await changes([9, "eur"], [11, "usd"])).toEqual(["CHANGED 10 usd 11 usd", "ADDED  9 eur"]);
	expect(await changes([9, "eur"])).toEqual(["CHANGED 10 usd 9 eur"]);
});

test("charges are in use in the currency of their subscriptions", async () => {
	const ours = await market([10, "usd"], [9, "eur"], [8, "chf"]);
	await ours.addon("extra", fee([5, "usd"], [4, "eur"]));
	const inUse = async (path: string) =>
		(await ours.insist("GET", `${path}/charges`)).map(
			({ price, usedInSubscriptions }: { price: { currency: string }; usedInSubscriptions: boolean }) =>
				`${price.currency} ${usedInSubscriptions}`,
		);
	const id = await ours.buy("pro", { billingCurrency: "eur", addons: [{ id: "extra", quantity: 1 }] });
	expect(await inUse("/plans/pro")).toEqual(["chf false", "eur true", "usd false"]);
	expect(await inUse("/addons/extra")).toEqual(["eur true", "usd false"]);
	await ours.sell();
	expect(await inUse("/plans/pro")).toEqual(["chf false", "eur true", "usd true"]);
	await ours.cancel(id, { cancellationTime: "IMMEDIATE" });
	expect(await inUse("/plans/pro")).toEqual(["chf false", "eur false", "usd true"]);
});

test("a simulation bills past periods on a version in the currency of each subscription", async () => {
	const ours = await market([10, "usd"], [9, "eur"]);
	await ours.sell();
	await ours.buy("pro", { billingCurrency: "eur" });
	await ours.advance("2026-06-01T00:00:00Z");
	await draft(ours, "pro", fee([12, "usd"], [10.5, "eur"]));
	const { currencyTotals } = await simulate(ours, "pro");
	const sums = currencyTotals.map(
		({ currency, before, after }: Record<string, unknown>) => `${currency} ${before} ${after}`,
	);
	expect(sums.sort()).toEqual(["eur 9 10.5", "usd 10 12"]);
});

describe("GraphQL", () => {
	test("sells, previews, changes and shows a currency", async () => {
		const ours = await market(...design, euros);
		const sold = await data(
			ours,
			`mutation ($input: ProvisionSubscriptionInput!) {
				provisionSubscription(input: $input) { subscription { refId billingCurrency latestInvoice { total currency } } }
			}`,
			{ input: { customerId: "acme", planId: "pro", billingCurrency: "EUR" } },
		);
		const { refId, ...shown } = sold.provisionSubscription.subscription;
		expect(shown).toEqual({ billingCurrency: "EUR", latestInvoice: { total: 9, currency: "EUR" } });
		const { estimateSubscription } = await data(
			ours,
			"mutation ($input: EstimateSubscriptionInput!) { estimateSubscription(input: $input) { total { amount currency } } }",
			{ input: { customerId: "acme", planId: "pro", billingCurrency: "usd" } },
		);
		expect(estimateSubscription.total.currency).toBe("USD");
		const update =
			"mutation ($input: UpdateSubscriptionInput!) { updateSubscription(input: $input) { billingCurrency } }";
		const same = await data(ours, update, { input: { refId, billingCurrency: "EUR" } });
		expect(same.updateSubscription.billingCurrency).toBe("EUR");
		const refused = await ask(ours, update, { input: { refId, billingCurrency: "USD" } });
		expect(codes(refused)).toEqual(["InvalidArgumentError"]);
		const bulk = "mutation ($input: ImportSubscriptionsBulkInput!) { importSubscriptionsBulk(input: $input) }";
		await data(ours, bulk, {
			input: { subscriptions: [{ refId: "old", customerId: "acme", planId: "pro", billingCurrency: "USD" }] },
		});
	});

	test("the paywall shows the prices of a sale that names a currency", async () => {
		const ours = await market(...design, euros);
		await ours.customer("german", living("DE"));
		const shown = async (input: object) => {
			const { paywall } = await data(
				ours,
				"query ($input: GetPaywallInput!) { paywall(input: $input) { currency { code } plans { prices { price { amount currency } } } } }",
				{ input },
			);
			return [paywall.currency.code, ...amountsOf(paywall.plans[0].prices)].join(", ");
		};
		expect(await shown({})).toBe("USD, 10 USD");
		expect(await shown({ currency: "EUR" })).toBe("EUR, 9 EUR");
		expect(await shown({ customerId: "german" })).toBe("EUR, 8.5 EUR");
		expect(await shown({ customerId: "german", billingCurrency: "USD" })).toBe("USD, 10 USD");
		expect(await shown({ customerId: "german", billingCurrency: "GBP" })).toBe("EUR, 8.5 EUR");
	});
});

test("REST's paywall and a checkout take a currency; the customer's page shows and confirms it", async () => {
	const ours = await market(...design, euros);
	const { body: paywall } = await ours.call("GET", "/paywall?billingCurrency=eur");
	expect(amountsOf(paywall.data.plans[0].prices)).toEqual(["9 EUR"]);
	expect((await ours.call("GET", "/paywall?billingCurrency=euro")).status).toBe(400);
	const { call } = await checkoutOf(ours, { planId: "pro", billingCurrency: "eur" });
	const { plan } = (await call("GET", "/checkout")).body.data;
	expect(plan.prices.map(({ amount, currency }: Record<string, unknown>) => `${amount} ${currency}`)).toEqual([
		"9 eur",
	]);
	const { offer, immediateInvoice } = (await call("POST", "/checkout/preview", {})).body.data;
	expect([immediateInvoice.total, immediateInvoice.currency]).toEqual([9, "eur"]);
	const { subscriptionId } = (await call("POST", "/checkout/confirm", { offer })).body.data;
	expect(await priced(ours, subscriptionId)).toBe("9 eur, chosen eur");
});

test("the portal offers other plans in the currency of the subscription", async () => {
	const ours = await market([10, "usd"], [9, "eur"]);
	await ours.plan("top", [fee([30, "usd"], [27, "eur"]), setup([5, "usd"])]);
	const id = await ours.buy("pro", { billingCurrency: "eur" });
	const call = await portalOf(ours);
	const { plans } = (await call("GET", `/portal/subscriptions/${id}/options`)).body.data;
	const offered = plans.map(({ id: plan, prices }: { id: string; prices: { amount: number; currency: string }[] }) =>
		[plan, ...prices.map(({ amount, currency }) => `${amount} ${currency}`)].join(" "),
	);
	expect(offered.sort()).toEqual(["pro 9 eur", "top 27 eur"]);
});

test("events of a subscription carry its currency", async () => {
	const ours = await market([10, "usd"], [9, "eur"]);
	const trial = { isTrial: true, trialEndDate: "2026-04-08T00:00:00Z" };
	await ours.buy("pro", { billingCurrency: "eur", trialOverrideConfiguration: trial });
	const events = await ours.insist("GET", "/events-out?limit=100");
	const created = events.find(({ type }: { type: string }) => type === "subscription.created");
	expect(created).toMatchObject({ billingCurrency: "eur" });
});
