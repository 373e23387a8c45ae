import { digitsOf } from "../../support/oracle/pricing";
import type { Act, History } from "../acts";
import { addMonths, dayMs, firstOfMonth } from "../calendar";
import type { Used } from "../calls";
import { cyclesOf, features, negotiated, type PriceList } from "../price-list";
import type { Random } from "../random";
import { Deal } from "./deal";
import type { ContractOracle } from "./oracle";
import { type ContractAct, iso, type Renewing, type Window } from "./requests";

/**
 * Yields the acts of a contract's history: it is drafted, published, amended, perhaps renewed, canceled or archived,
 * and its invoices are paid, credited and refunded. Each act is chosen after the oracle has played those before it.
 */
export function* contractActs(
	random: Random,
	{ list, startAt }: Omit<History, "acts">,
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
			if (random.chance(0.2)) for (const one of deal.shortening(now, others, window)) yield act(one);
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

/** A window of a month to three years, in the past, now or later; mostly at midnight, often at a month's end. */
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

/** An act on an issued invoice, mostly the last one. */
function settle(random: Random, oracle: ContractOracle, currency: string): Omitted | undefined {
	const { invoices } = oracle;
	if (invoices.length === 0) return undefined;
	const invoice = random.chance(0.6) ? invoices.length - 1 : random.whole(0, invoices.length - 1);
	const of = invoices[invoice];
	if (!of) return undefined;
	const places = digitsOf(currency);
	const major = (minor: bigint) => Number(minor) / 10 ** places;
	const part = (most: bigint) => major(BigInt(random.whole(1, Math.max(1, Number(most)))));
	const contract = (one: ContractAct): Omitted => ({ do: "contract", act: one });
	const choice = random.whole(1, 100);
	if (choice <= 30 && of.state === "OPEN") return { do: "pay", invoice };
	if (choice <= 50 && of.due > 0n) return contract({ do: "pay part", invoice, amount: part((of.due * 5n) / 4n) });
	const refundable = oracle.refundableOf(invoice);
	if (choice <= 60 && refundable > 0n) return contract({ do: "refund", invoice, amount: part(refundable) });
	const creditable = oracle.creditableOf(invoice);
	if (creditable <= 0n) return undefined;
	if (choice <= 70) return { do: "credit", invoice };
	if (choice <= 85) return contract({ do: "credit part", invoice, body: { amount: part(creditable) } });
	const line = random.whole(1, of.lines.length);
	const most = of.lines[line - 1]?.total ?? 0n;
	const amount = most > 0n && random.chance(0.7) ? { amount: part(most) } : {};
	return contract({ do: "credit part", invoice, body: { lines: [{ line, ...amount }] } });
}

type Omitted = { do: "pay" | "credit"; invoice: number } | { do: "contract"; act: ContractAct };
