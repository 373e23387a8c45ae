import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, type Till, till } from "../../billing";

/** Sells a plan of 100.00 a month, or of other prices, with a term. */
export async function selling(
	start: string,
	term: object | undefined,
	body: object = {},
	models = [flat({ month: 100 })],
) {
	const ours = await till(start);
	await ours.plan("pro", models, term ? { term } : {});
	return { ours, id: await ours.buy("pro", body) };
}

export const found = ({ transactions, actor }: Till): string[] =>
	transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

export const shown = async (ours: Till, id: string) => (await ours.call("GET", `/subscriptions/${id}`)).body.data;

/** Returns the days on which the term that a subscription shows begins and ends. */
export async function termShown(ours: Till, id: string): Promise<string> {
	const { currentTerm } = await shown(ours, id);
	if (!currentTerm) return "none";
	const { number, startDate, endDate } = currentTerm;
	return `${number}: ${startDate.slice(0, 10)} to ${endDate.slice(0, 10)}`;
}

/** Returns the documents without their lines. */
export const totals = async (ours: Till): Promise<string[]> =>
	(await ours.books()).map((line) => line.split(" = ")[0] ?? "");
