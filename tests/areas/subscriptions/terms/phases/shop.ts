import { checkSubscriptionBills } from "../../../../../src/areas/subscriptions/billing/check/operations";
import { flat, type Till, till } from "../../billing";

export const month = (count: number) => ({ unit: "MONTH", count });

/** A phase whose prices are those of the models. */
export const priced = (id: string, months: number, pricingModels: readonly object[], more: object = {}) => ({
	id,
	duration: month(months),
	charges: { pricingModels, ...more },
});

/** Two months of a plan of 40.00 cost 10.00 each, the next four 20.00. */
export const ramp = [
	{ id: "start", displayName: "Start", duration: month(2), percentOff: 75 },
	{ id: "growth", duration: month(4), percentOff: 50 },
];

/** Sells a plan of 40.00 a month. */
export async function selling(start: string, plan: object = { phases: ramp }, body: object = {}) {
	const ours = await till(start);
	await ours.plan("pro", [flat({ month: 40 })], plan);
	return { ours, id: await ours.buy("pro", body) };
}

export const found = ({ transactions, actor }: Till): string[] =>
	transactions.read(actor, (work) => [...checkSubscriptionBills(work)]);

export const shown = async (ours: Till, id: string) => (await ours.call("GET", `/subscriptions/${id}`)).body.data;

/** The ids and times of the phases that a subscription shows. */
export async function phasesShown(ours: Till, id: string): Promise<string[]> {
	const { phase, scheduledPhases = [] } = await shown(ours, id);
	return [...(phase ? [phase] : []), ...scheduledPhases].map(
		({ id: one, startDate, endDate }) => `${one} ${startDate.slice(0, 10)} to ${endDate.slice(0, 10)}`,
	);
}
