import { runImport } from "../../../../../src/areas/subscriptions/import/import";
import { openLog } from "../../../../../src/http/log";
import { drainTasks } from "../../../../../src/workers/task-thread";
import { type Till, till } from "../../billing";

/** The amount, the currency, and the country if the price is for one. */
export type Row = readonly [amount: number, currency: string, country?: string];

const periods = (rows: readonly Row[], billingPeriod = "MONTHLY") =>
	rows.map(([amount, currency, billingCountryCode]) => ({
		billingPeriod,
		price: { amount, currency },
		...(billingCountryCode && { billingCountryCode }),
	}));

export const fee = (...rows: readonly Row[]) => ({ billingModel: "FLAT_FEE", pricePeriods: periods(rows) });
export const yearly = (rows: readonly Row[], year: readonly Row[]) => ({
	billingModel: "FLAT_FEE",
	pricePeriods: [...periods(rows), ...periods(year, "ANNUALLY")],
});
export const setup = (...rows: readonly Row[]) => ({ ...fee(...rows), billingCadence: "ONE_OFF" });
export const calls = (...rows: readonly Row[]) => ({
	billingModel: "USAGE_BASED",
	featureId: "calls",
	pricePeriods: periods(rows),
});

/** Section 2.27 of the design. */
export const design: readonly Row[] = [
	[10, "usd"],
	[8.5, "eur", "DE"],
	[3, "usd", "IN"],
];
export const euros: Row = [9, "eur"];

export const living = (country: string) => ({ passthrough: { stripe: { billingAddress: { country } } } });

export async function market(...rows: readonly Row[]) {
	const ours = await till("2026-04-01T00:00:00Z");
	if (rows.length > 0) await ours.plan("pro", [fee(...rows)]);
	return {
		...ours,
		/** Sells to a new customer. The first invoice, for example "10 usd"; what the preview says is the same. */
		sell: async (profile: object = {}, terms: object = {}): Promise<string> => {
			const id = `c-${crypto.randomUUID()}`;
			await ours.customer(id, profile);
			const body = { customerId: id, planId: "pro", ...terms };
			const { immediateInvoice } = await ours.insist("POST", "/subscriptions/preview", body);
			const sold = await billed(ours, await ours.buy("pro", body));
			return `${immediateInvoice.total} ${immediateInvoice.currency}` === sold
				? sold
				: `previewed ${immediateInvoice.total}, sold ${sold}`;
		},
		import: async (...subscriptions: readonly object[]): Promise<object[]> => {
			const { taskId } = await ours.insist("POST", "/subscriptions/import", { subscriptions });
			await drainTasks(
				ours.transactions,
				["IMPORT_SUBSCRIPTIONS"],
				(task) => runImport(ours.thread, task),
				openLog("silent"),
			);
			return (await ours.insist("GET", `/tasks/${taskId}`)).importErrors;
		},
		refusal: async (method: string, path: string, body: object): Promise<readonly [number, string, string]> => {
			const answer = await ours.call(method, path, { body });
			return [answer.status, answer.body.code, answer.body.message];
		},
	};
}

export type Market = Awaited<ReturnType<typeof market>>;

/** The latest invoice of a subscription, for example "10 usd". */
export async function billed(ours: Till, id: string): Promise<string> {
	const { latestInvoice } = await ours.insist("GET", `/subscriptions/${id}`);
	return `${latestInvoice.total} ${latestInvoice.currency}`;
}

/** The prices of a subscription and the currency chosen for it. */
export async function priced(ours: Till, id: string): Promise<string> {
	const { prices, billingCurrency } = await ours.insist("GET", `/subscriptions/${id}`);
	const amounts = prices.map(({ amount, currency }: { amount: number; currency: string }) => `${amount} ${currency}`);
	return [...amounts, ...(billingCurrency ? [`chosen ${billingCurrency}`] : [])].join(", ");
}
