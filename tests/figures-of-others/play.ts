import { checkRates } from "../../src/areas/invoices/check/operations.rates";
import { checkSubscriptionBills } from "../../src/areas/subscriptions/billing/check/operations";
import { type Till, till } from "../areas/subscriptions/billing";
import type { FigureForm, Sale, Scenario, Step } from "./scenario";

type Amounts = Map<string, number>;

interface Played {
	readonly scenario: Scenario;
	readonly customer: string;
	subscription?: string;
	sale?: Sale;
	figure?: string;
}

/**
 * Plays all scenarios in one world, each with a customer of its own, and returns their figures by id, and what the drift check finds. The clock stops once
 * at each instant that a scenario names.
 */
export async function play(scenarios: readonly Scenario[]): Promise<{ figures: Map<string, string>; drift: string[] }> {
	const acts = scenarios.flatMap((scenario) => {
		const played: Played = { scenario, customer: scenario.id.toLowerCase() };
		const steps = scenario.steps.map((step) => ({
			at: instant(step[0]),
			act: (stage: Stage) => stage.act(played, step),
		}));
		return [...steps, { at: instant(scenario.until), act: (stage: Stage) => stage.finish(played) }];
	});
	acts.sort((one, other) => one.at.localeCompare(other.at));
	const first = acts[0];
	if (!first) return { figures: new Map(), drift: [] };
	const stage = new Stage(await till(first.at));
	let now = first.at;
	for (const { at, act } of acts) {
		if (at !== now) await stage.ours.advance(at);
		now = at;
		await act(stage);
	}
	const { transactions, actor } = stage.ours;
	const drift = transactions.read(actor, (work) => [...checkRates(work), ...checkSubscriptionBills(work)]);
	return { figures: stage.figures, drift };
}

const instant = (at: string): string => (at.includes("T") ? `${at}Z` : `${at}T00:00:00Z`);

class Stage {
	readonly figures = new Map<string, string>();
	private readonly plans = new Map<string, string>();
	private events = 0;
	private coupons = 0;

	constructor(readonly ours: Till) {}

	async act(played: Played, step: Step): Promise<void> {
		const { ours } = this;
		const { customer, subscription = "" } = played;
		switch (step[1]) {
			case "start":
			case "replace":
				if (step[1] === "start") await ours.customer(customer);
				played.sale = step[2];
				played.subscription = await this.sell(customer, step[2], step[3]);
				return;
			case "change":
				await ours.change(subscription, step[2]);
				return;
			case "seats":
				await ours.change(subscription, { ...units(step[2]), scheduleStrategy: "IMMEDIATE" });
				return;
			case "use":
				return this.use(customer, step[0], step[2]);
			case "end":
				await ours.cancel(subscription, { cancellationTime: "IMMEDIATE", prorate: true });
				return;
			case "end on":
				await ours.cancel(subscription, {
					cancellationTime: "SPECIFIC_DATE",
					endDate: instant(step[2]),
					prorate: true,
				});
				return;
			default:
				await ours.insist("POST", `/subscriptions/${subscription}/${step[1]}`, step[2] ?? {});
		}
	}

	/** Reads the figure of a scenario, and ends its subscription, so that it costs the rest of the play no time. */
	async finish({ scenario, customer, subscription, sale }: Played): Promise<void> {
		const { form, id } = scenario;
		const shown = await this.ours.insist("GET", `/subscriptions/${subscription}`);
		const zone = sale?.zone ?? "UTC";
		const [start, end] = [shown.currentBillingPeriodStart, shown.currentBillingPeriodEnd];
		if (form === "period") this.figures.set(id, `${shownAt(start, zone)} to ${shownAt(end, zone)}`);
		else if (form === "opening") this.figures.set(id, shownAt(start, zone));
		else if (form === "boundary") this.figures.set(id, shownAt(end, zone));
		else this.figures.set(id, textOf(await this.amounts(customer, zone), form));
		if (!/CANCELED|EXPIRED/.test(shown.status))
			await this.ours.cancel(subscription ?? "", { cancellationTime: "IMMEDIATE" });
	}

	private async sell(customer: string, sale: Sale, seats?: number): Promise<string> {
		const body = {
			planId: await this.plan(sale),
			customerId: customer,
			...(Object.keys(intervalOf(sale)).length > 0 && intervalOf(sale)),
			...(sale.anchor !== undefined && { billingAnchor: anchorOf(sale.anchor) }),
			...(sale.zone !== undefined && { timeZone: sale.zone }),
			...(seats !== undefined && units(seats)),
			...(sale.coupon && { appliedCoupon: { couponId: await this.coupon(sale.coupon) } }),
			...sale.terms,
		};
		return (await this.ours.insist("POST", "/subscriptions", body)).id;
	}

	private async coupon(off: NonNullable<Sale["coupon"]>): Promise<string> {
		this.coupons += 1;
		const id = `coupon-${this.coupons}`;
		const amounts =
			"percent" in off
				? { percentOff: off.percent, amountsOff: null }
				: { percentOff: null, amountsOff: [usd(off.amount)] };
		const body = { id, name: id, description: null, durationInMonths: null, metadata: null, ...amounts };
		await this.ours.insist("POST", "/coupons", body);
		return id;
	}

	/** Returns a plan with these prices; scenarios with equal prices share it. */
	private async plan(sale: Sale): Promise<string> {
		const { zone: _, anchor: __, terms: ___, coupon: ____, ...prices } = sale;
		const key = JSON.stringify(prices);
		const known = this.plans.get(key);
		if (known) return known;
		const id = `plan-${this.plans.size}`;
		this.plans.set(key, id);
		await this.ours.insist("POST", "/plans", { id, displayName: id, productId: "app", ...sale.plan });
		const charges = { pricingType: "PAID", pricingModels: modelsOf(sale), ...sale.charges };
		await this.ours.insist("PATCH", `/plans/${id}`, { charges });
		await this.ours.insist("POST", `/plans/${id}/publish`, { migrationType: "NEW_CUSTOMERS" });
		return id;
	}

	private async use(customerId: string, at: string, quantities: readonly number[]): Promise<void> {
		const events = quantities.map((n) => {
			this.events += 1;
			const idempotencyKey = `e${this.events}`;
			return { eventName: "calls", customerId, idempotencyKey, dimensions: { n }, timestamp: instant(at) };
		});
		if (events.length > 0) await this.ours.insist("POST", "/events", { events });
	}

	private async amounts(customer: string, zone: string): Promise<Amounts> {
		const days: Amounts = new Map();
		for (const [path, sign] of [
			["invoices", 1],
			["credit-notes", -1],
		] as const)
			for (const { issueDate, total } of await this.ours.insist("GET", `/customers/${customer}/${path}?limit=100`)) {
				const day = dateIn(issueDate, zone);
				days.set(day, (days.get(day) ?? 0) + sign * Math.round(total * 100));
			}
		return days;
	}
}

const units = (quantity: number) => ({ charges: [{ id: "seats", quantity, type: "FEATURE" }] });
const usd = (amount: number) => ({ amount, currency: "usd" });
const anchorOf = (anchor: number | object) =>
	typeof anchor === "number" ? { type: "DAY", dayOfMonth: anchor } : anchor;

const named: Readonly<Record<string, string>> = {
	DAY: "DAILY",
	WEEK: "WEEKLY",
	MONTH: "MONTHLY",
	"3 MONTH": "QUARTERLY",
	"6 MONTH": "HALF_YEARLY",
	YEAR: "ANNUALLY",
};

function intervalOf({ every = "MONTH" }: Sale): object {
	if (named[every]) return { billingPeriod: named[every] };
	const [count = "1", unit = "MONTH"] = every.split(" ");
	return { billingPeriod: "CUSTOM", billingInterval: { unit, count: Number(count) } };
}

function modelsOf(sale: Sale): object[] {
	const { price, seatPrice, usage, usageModel, inArrears, mode } = sale;
	const more = { ...(inArrears && { paymentTime: "IN_ARREARS" }), ...(mode && { prorationMode: mode }) };
	const fee = (billingModel: string, amount: number, feature: object) => ({
		billingModel,
		...feature,
		...more,
		pricePeriods: [{ ...intervalOf(sale), price: usd(amount) }],
	});
	const { tiersMode, ...period } = usage ?? {};
	return [
		...(price === undefined ? [] : [fee("FLAT_FEE", price, {})]),
		...(seatPrice === undefined ? [] : [fee("PER_UNIT", seatPrice, { featureId: "seats" })]),
		...(usage === undefined
			? []
			: [
					{
						billingModel: "USAGE_BASED",
						featureId: "calls",
						...(tiersMode && { tiersMode }),
						...usageModel,
						pricePeriods: [{ ...intervalOf(sale), ...period }],
					},
				]),
	];
}

const dateIn = (at: string, timeZone: string): string =>
	new Intl.DateTimeFormat("en-CA", { timeZone, year: "numeric", month: "2-digit", day: "2-digit" }).format(
		new Date(at),
	);

/** A local midnight is shown as its date, any other instant with its time in UTC. */
function shownAt(at: string, timeZone: string): string {
	const time = new Intl.DateTimeFormat("en-GB", { timeZone, hour: "2-digit", minute: "2-digit", second: "2-digit" });
	return time.format(new Date(at)) === "00:00:00" ? dateIn(at, timeZone) : at.replace(/(:00)?\.\d+Z$/, "");
}

function textOf(days: Amounts, form: FigureForm): string {
	const amount = (cents: number) => (cents / 100).toFixed(2);
	if (form === "total") return amount([...days.values()].reduce((sum, cents) => sum + cents, 0));
	const shown = [...days].filter(([, cents]) => cents !== 0).sort(([one], [other]) => one.localeCompare(other));
	const texts = shown.map(([day, cents]) => `${day} ${amount(cents)}`);
	return (form === "last" ? texts.at(-1) : texts.join(", ")) || "nothing";
}
