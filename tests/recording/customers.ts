import { addMonths, dayMs } from "../simulated-subscriptions/calendar";
import { type Random, randomOf } from "../simulated-subscriptions/random";
import type { Catalogue } from "./catalogue";
import { type PlannedCatalogue, plannedCatalogues } from "./catalogues";
import { customerAct } from "./customer-acts";
import { begin, iso, type Plan, type Request, type Size, type Step } from "./plan";

/** Returns environments with a catalogue each. Its customers do everything that the simulated subscriptions do not. */
export async function planCustomers({ catalogues, customers, months }: Size): Promise<Plan> {
	const planned = (await plannedCatalogues()).slice(-catalogues);
	const until = addMonths(begin, months);
	return {
		environments: planned.map(({ name }) => ({ name, billingAnchor: "SUBSCRIPTION_START", until: iso(until) })),
		steps: planned.flatMap((one, seed) => planCatalogue(one, { customers, months, seed })),
	};
}

function planCatalogue(
	{ name: environment, catalogue, requests }: PlannedCatalogue,
	{ customers, months, seed }: { readonly customers: number; readonly months: number; readonly seed: number },
): Step[] {
	const until = addMonths(begin, months);
	const timed: Array<{ readonly time: number; readonly requests: readonly Request[] }> = [];
	for (let nth = 0; nth < customers; nth += 1) {
		const random = randomOf(7_000_000 + seed * 10_000 + nth);
		const id = `k${nth}`;
		let time = begin + random.whole(1, months * 10) * dayMs + random.whole(0, dayMs - 1);
		timed.push({ time, requests: arrival(random, catalogue, id, nth) });
		for (let acts = random.whole(4, 16); acts > 0; acts -= 1) {
			time += random.whole(0, 70) * dayMs + random.whole(0, dayMs - 1);
			if (time >= until) break;
			timed.push({ time, requests: customerAct(random, { catalogue, id, now: time }) });
		}
	}
	timed.sort((one, other) => one.time - other.time);
	return [{ time: begin, requests: [...requests, ...issuers] }, ...timed].flatMap(({ time, requests: sent }) =>
		sent.map((request) => ({ environment, at: iso(time), ...request })),
	);
}

/** The countries and languages of issuers and customers, whose documents differ. */
const issuers: readonly Request[] = [
	{
		method: "POST",
		path: "/legal-entities",
		body: {
			name: "Beispiel GmbH",
			language: "de",
			netTerms: 14,
			taxCurrency: "eur",
			exchangeRates: [{ currency: "usd", rate: 0.92, source: "ECB", date: "2040-01-01" }],
			numberFormat: { invoicePrefix: "DE-", creditNotePrefix: "DE-G-", year: true, padding: 4 },
		},
	},
];

function arrival(random: Random, catalogue: Catalogue, id: string, nth: number): Request[] {
	const address = { line1: "1 Main St", city: "Bern", postalCode: "3011", country: random.oneOf(["CH", "DE", "US"]) };
	const profile = {
		id,
		name: `Customer ${id}`,
		email: `${id}@example.test`,
		language: random.oneOf(["en", "de", "fr", "es"]),
		timezone: "Europe/Zurich",
		metadata: { nth: String(nth) },
		passthrough: { stripe: { billingAddress: address, customerName: `Customer ${id} Ltd` } },
	};
	const invoicing = random.oneOf([
		{ legalEntityId: "{legalEntity:Beispiel GmbH}", cashDiscount: { percentage: 2, days: 7 } },
		{ taxExemption: "EXEMPT" },
		{},
	]);
	return [
		{ method: "POST", path: "/customers", body: profile },
		{ method: "PATCH", path: `/customers/${id}/invoicing`, body: invoicing },
		...customerAct(random, { catalogue, id, now: begin, act: "subscribe" }),
	];
}
