import { digitsOf } from "../../support/oracle/pricing";
import { addMonths, dayMs, firstOfMonth } from "../calendar";
import type { Used } from "../calls";
import type { Act, Life } from "../life";
import { cyclesOf, features, negotiated, type PriceList } from "../price-list";
import type { Random } from "../random";
import type { ContractOracle } from "./oracle";
import { type ContractAct, type ItemWords, type Renewing, type Row, rowModels, type Unit, type Window } from "./words";

const iso = (at: number): string => new Date(at).toISOString();

/**
 * The acts of a life with a contract: it is drafted, published, amended, perhaps renewed, canceled or archived, and its
 * invoices are paid, credited and paid back. Each is thought of when the oracle has lived through those before.
 */
export function* contractActs(
	random: Random,
	{ list, startAt }: Omit<Life, "acts">,
	oracle: ContractOracle,
): Generator<Act> {
	const currency = list.plans[0]?.currency ?? "usd";
	const deal = new Deal(random, currency);
	let now = startAt;
	const act = (one: ContractAct, isLate = false): Act => ({ do: "contract", act: one, at: now, isLate });
	const window = windowOf(random, now);
	yield act({
		do: "draft",
		body: { ...window, ...subscribing(random, list), ...(random.chance(0.2) && { renewal: renewing(random) }) },
	});
	for (const items of deal.batches(window)) yield act({ do: "add items", body: { items, currency } });
	for (let drafts = random.whole(0, 2); drafts > 0; drafts -= 1) yield* drafting(act, deal);
	if (random.chance(0.3)) now += random.whole(0, 60) * dayMs + random.whole(0, 1);
	if (random.chance(0.3)) yield { do: "use", at: now, used: usage(random, now, window) };
	yield act({ do: "publish contract" });
	for (let calls = random.whole(1, 9); calls > 0; calls -= 1) {
		now = timeAfter(random, now, oracle);
		if (random.chance(0.8)) yield { do: "wait", at: now };
		if (random.chance(0.6)) yield { do: "use", at: now, used: usage(random, now, window) };
		const phase = oracle.contract?.phase;
		const choice = random.whole(1, 100);
		if (phase === "ACTIVE" && choice <= 30) {
			yield act({ do: "amend", includeCurrentInvoice: random.chance(0.5) }, random.chance(0.3));
			const others = oracle.contract?.items ?? [];
			for (let changes = random.whole(0, 3); changes > 0; changes -= 1)
				yield act(
					deal.amending(
						now,
						others.map(({ start }) => start),
						window,
					),
				);
			if (random.chance(0.3)) {
				now = timeAfter(random, now, oracle);
				yield { do: "wait", at: now };
				if (random.chance(0.5)) yield { do: "use", at: now, used: usage(random, now, window) };
				if (random.chance(0.4)) yield act(deal.repricing());
			}
			yield act(random.chance(0.85) ? { do: "publish contract" } : { do: "discard" });
		} else if (choice <= 70) {
			yield { do: "wait", at: now };
			const settling = settle(random, oracle, currency);
			if (settling) yield settling.do === "contract" ? act(settling.act) : { ...settling, at: now, isLate: false };
		} else if (choice <= 78) yield act({ do: "set renewal", body: renewing(random) });
		else if (choice <= 82) yield act({ do: random.oneOf(["cancel billing", "archive"]) });
	}
	const last = now + random.whole(0, random.chance(0.3) ? 800 : 60) * dayMs;
	if (random.chance(0.5)) yield { do: "use", at: last, used: usage(random, last, window) };
	yield { do: "wait", at: last };
}

function* drafting(act: (one: ContractAct) => Act, deal: Deal): Generator<Act> {
	const one = deal.draftChange();
	if (one) yield act(one);
}

const subscribing = (random: Random, list: PriceList) => {
	const paid = list.plans.filter(({ id, currency }) => id !== "free" && currency === list.plans[0]?.currency);
	if (random.chance(0.6)) return { planId: negotiated, isUnpaid: false };
	const plan = random.oneOf(paid);
	return { planId: plan.id, billingPeriod: random.oneOf(cyclesOf(plan)), isUnpaid: true };
};

/** Of a month to three years, begun already, now or later; mostly at midnight, and often at a month's end. */
function windowOf(random: Random, now: number): Required<Window> {
	const near = now + random.oneOf([0, 0, random.whole(-200, 200)]) * dayMs;
	const monthsEnd = firstOfMonth(addMonths(near, 1)) - dayMs;
	const day = Math.floor(random.oneOf([near, near, monthsEnd]) / dayMs) * dayMs;
	const start = day + (random.chance(0.8) ? 0 : random.whole(1, dayMs - 1));
	const end = random.chance(0.6)
		? addMonths(start, random.whole(1, 24))
		: start + random.whole(20, 900) * dayMs + (random.chance(0.8) ? 0 : random.whole(1, dayMs - 1));
	return { activationStartDate: iso(start), activationEndDate: iso(end) };
}

const renewing = (random: Random): Renewing =>
	random.chance(0.25)
		? { autoRenew: false }
		: {
				autoRenew: true,
				months: random.whole(1, 14),
				...(random.chance(0.5) && { noticePeriodDays: random.whole(0, 60) }),
				...(random.chance(0.6) && { upliftPercentage: Number(random.decimal(12, random.oneOf([0, 1, 2]))) }),
			};

function timeAfter(random: Random, now: number, oracle: ContractOracle): number {
	const due = oracle.nextDue();
	const near = (at: number) => Math.max(now, at + random.oneOf([-1, 0, 0, 1]));
	const choice = random.whole(1, 100);
	if (choice <= 8) return now;
	if (choice <= 35 && due !== undefined) return near(due);
	if (choice <= 55 && due !== undefined) return near(addMonths(due, random.whole(1, random.chance(0.3) ? 13 : 3)));
	if (choice <= 65) return near(firstOfMonth(addMonths(now, random.whole(1, 2))));
	return now + random.whole(1, 90) * dayMs + random.whole(0, dayMs - 1);
}

function usage(random: Random, now: number, { activationStartDate, activationEndDate }: Required<Window>): Used[] {
	const counted = Object.entries(features).filter(([, { counts }]) => counts !== null);
	const [start, end] = [Date.parse(activationStartDate), Math.min(now, Date.parse(activationEndDate))];
	const within = () => (end > start ? start + random.whole(0, end - start) : now);
	return Array.from({ length: random.whole(1, 5) }, () => {
		const [feature, { divide }] = random.oneOf(counted);
		const n = random.decimal(divide === "1000" ? 30_000 : 60, random.oneOf([0, 0, 2]));
		const at = random.oneOf([
			now,
			now - 1,
			now - random.whole(0, 40 * dayMs),
			Math.min(start, now),
			within(),
			within(),
		]);
		return { feature, n: random.chance(0.08) ? `-${n}` : n, at };
	});
}

/** What is done to an invoice: any that was issued, mostly the last. */
function settle(random: Random, oracle: ContractOracle, currency: string): Omitted | undefined {
	const { invoices } = oracle;
	if (invoices.length === 0) return undefined;
	const invoice = random.chance(0.6) ? invoices.length - 1 : random.whole(0, invoices.length - 1);
	const of = invoices[invoice];
	if (!of) return undefined;
	const places = digitsOf(currency);
	const major = (minor: bigint) => Number(minor) / 10 ** places;
	const part = (most: bigint) => major(BigInt(random.whole(1, Math.max(1, Number(most)))));
	const total = of.lines.reduce((sum, line) => sum + line.total, 0n);
	const contract = (one: ContractAct): Omitted => ({ do: "contract", act: one });
	const choice = random.whole(1, 100);
	if (choice <= 30 && of.state === "OPEN") return { do: "pay", invoice };
	if (choice <= 50 && of.due > 0n) return contract({ do: "pay part", invoice, amount: part((of.due * 5n) / 4n) });
	if (choice <= 60 && oracle.paidOf(invoice) > 0n)
		return contract({ do: "refund", invoice, amount: part(oracle.paidOf(invoice)) });
	if (total <= 0n) return undefined;
	if (choice <= 70) return { do: "credit", invoice };
	if (choice <= 85) return contract({ do: "credit part", invoice, body: { amount: part(total) } });
	const line = random.whole(1, of.lines.length);
	const most = of.lines[line - 1]?.total ?? 0n;
	const amount = most > 0n && random.chance(0.7) ? { amount: part(most) } : {};
	return contract({ do: "credit part", invoice, body: { lines: [{ line, ...amount }] } });
}

type Omitted = { do: "pay" | "credit"; invoice: number } | { do: "contract"; act: ContractAct };

const unitDays: Record<Unit, number> = { weekly: 7, monthly: 30, quarterly: 91, yearly: 365, one_time: 365 };
/** More cycles of an item than these show nothing new. */
const cyclesMax = 30;

/** The items that a life has agreed by now. */
class Deal {
	readonly #random: Random;
	readonly #currency: string;
	#items: ItemWords[] = [];
	#named = 0;

	constructor(random: Random, currency: string) {
		this.#random = random;
		this.#currency = currency;
	}

	batches(window: Required<Window>): ItemWords[][] {
		const random = this.#random;
		return Array.from({ length: random.oneOf([1, 1, 2]) }, () =>
			Array.from({ length: random.whole(1, 3) }, () => this.#item(window, this.#ramp(window))),
		);
	}

	/** A window of its own, within that of the contract or a little beyond it. */
	#ramp({ activationStartDate, activationEndDate }: Required<Window>): Window {
		const random = this.#random;
		if (random.chance(0.65)) return {};
		const [start, end] = [Date.parse(activationStartDate), Date.parse(activationEndDate)];
		const length = end - start;
		const from = start + random.whole(random.chance(0.2) ? -Math.floor(length / 4) : 0, Math.floor(length / 2));
		const to = from + random.whole(dayMs, length);
		const day = (at: number) => (random.chance(0.7) ? Math.floor(at / dayMs) * dayMs : at);
		return {
			...(random.chance(0.7) && { activationStartDate: iso(day(from)) }),
			...(random.chance(0.7) && { activationEndDate: iso(Math.max(day(to), from + dayMs)) }),
		};
	}

	#item(window: Required<Window>, own: Window): ItemWords {
		const random = this.#random;
		this.#named += 1;
		const isUsed = random.chance(0.3);
		const model = random.oneOf(rowModels);
		const { activationStartDate, activationEndDate } = { ...window, ...own };
		const days = (Date.parse(activationEndDate) - Date.parse(activationStartDate)) / dayMs;
		const unit = random.oneOf<Unit>(["weekly", "monthly", "monthly", "monthly", "quarterly", "yearly", "one_time"]);
		const least = Math.max(1, Math.ceil(days / unitDays[unit] / cyclesMax));
		const item: ItemWords = {
			name: `Item ${this.#named}`,
			externalId: `i${this.#named}`,
			...(isUsed && { itemName: random.oneOf(["calls", "tokens", "jobs", "peak"]) }),
			pricingModelId: isUsed ? `usage-${model}` : model,
			rows: this.#rows(model, isUsed),
			billingCycleUnit: unit,
			billingCycleCount: random.chance(0.8) ? least : least + random.whole(0, 4),
			...(!isUsed && random.chance(0.6) && { paymentTime: random.oneOf(["IN_ADVANCE", "IN_ARREARS"] as const) }),
			...(random.chance(0.3) && { discount: Number(random.decimal(99, random.oneOf([0, 2]))) }),
			...(random.chance(0.5) && { tax: Number(random.decimal(25, random.oneOf([0, 1, 2]))) }),
			netTerms: random.oneOf([0, 14, 30]),
			...(random.chance(0.2) && { separateInvoice: true }),
			...(random.chance(0.4) && { prorateCutCycles: true }),
			...own,
		};
		this.#items.push(item);
		return item;
	}

	#rows(model: ItemWords["pricingModelId"] | (typeof rowModels)[number], isUsed: boolean): Row[] {
		const random = this.#random;
		const kind = model.replace("usage-", "");
		const price = () => Number(random.decimal(isUsed ? 5 : 200, random.oneOf([0, 2, 3, 4])));
		const quantity = () => Number(random.decimal(80, random.oneOf([0, 0, 2])));
		if (kind === "flat" || kind === "package")
			return Array.from({ length: isUsed ? 1 : random.oneOf([1, 1, 2]) }, () => ({
				price: price(),
				...(!isUsed && random.chance(0.8) && { quantity: quantity() }),
				...(kind === "package" &&
					random.chance(0.9) && { packageSize: Number(random.decimal(20, random.oneOf([0, 1]))) }),
			}));
		const committed = isUsed ? {} : { quantity: quantity() };
		let bound = 0;
		const tiers = Array.from({ length: random.whole(1, 3) }, (_, at): Row => {
			const from = bound + (random.chance(0.1) ? random.whole(1, 5) : 0);
			bound = from + random.whole(1, 40);
			return {
				...committed,
				price: price(),
				...((from > 0 || random.chance(0.5)) && (at === 0 || random.chance(0.5) || from !== bound) && { from }),
				to: bound,
			};
		});
		return random.chance(0.9) ? [...tiers, { ...committed, price: price(), to: null }] : tiers;
	}

	draftChange(): ContractAct | undefined {
		const random = this.#random;
		const choice = random.whole(1, 10);
		if (choice <= 3) return this.repricing();
		if (choice <= 5 && this.#items.length > 1) return this.#removing();
		if (choice <= 6) return { do: "remove row", item: random.oneOf(this.#items).externalId, row: 0 };
		if (choice <= 8) return { do: "change terms", body: { netTerms: random.oneOf([0, 7, 60]) } };
		return undefined;
	}

	repricing(): ContractAct {
		const { externalId, pricingModelId } = this.#random.oneOf(this.#items);
		return {
			do: "replace rows",
			item: externalId,
			rows: this.#rows(pricingModelId, pricingModelId.startsWith("usage-")),
		};
	}

	#removing(): ContractAct {
		const { externalId } = this.#random.oneOf(this.#items);
		this.#items = this.#items.filter((item) => item.externalId !== externalId);
		return { do: "remove item", item: externalId };
	}

	/** `starts`: of the items that the contract has. */
	amending(now: number, starts: readonly number[], window: Required<Window>): ContractAct {
		const random = this.#random;
		const choice = random.whole(1, 10);
		if (choice <= 4 || this.#items.length < 2) return this.repricing();
		if (choice <= 6) {
			return this.#removing();
		}
		if (choice <= 8) {
			const activationEndDate = iso(now + random.whole(20, 500) * dayMs);
			// Whose cycles it has is told where all begin together; else it has its own.
			const isTold = new Set(starts).size > 1 || random.chance(0.3);
			const from = {
				activationStartDate: isTold ? iso(now + random.whole(-20, 60) * dayMs) : window.activationStartDate,
				activationEndDate,
			};
			const item = this.#item(from, {});
			const dates = { ...(isTold && { activationStartDate: from.activationStartDate }), activationEndDate };
			return { do: "add items", body: { items: [item], currency: this.#currency, ...dates } };
		}
		const later = iso(Date.parse(window.activationEndDate) + random.whole(-60, 300) * dayMs);
		return {
			do: "change terms",
			body: {
				...(random.chance(0.5) && { netTerms: random.oneOf([0, 7, 60]) }),
				...(random.chance(0.8) ? { activationEndDate: later } : { netTerms: 45 }),
			},
		};
	}
}
