/** A simulated subscription to a plan that grants credits each month, on a data folder of its own, next to the oracle. */
import { EventCharging } from "../../../src/areas/credits/charging/events/follow";
import type { Instant } from "../../../src/kernel/clock";
import { nextDueAt, runNextDue } from "../../../src/scheduler/sources";
import { maker, metered } from "../../areas/packages/catalogue";
import { compare, less, parse, type Rational, ratio, times } from "../../support/oracle/rational";
import { world } from "../../support/world";
import { dayMs } from "../calendar";
import type { Random } from "../random";
import { CreditOracle, type Grant } from "./oracle";

/** A revenue figure keeps twelve places; a simulated subscription rounds it less than a thousand times. */
const tolerance = ratio(1, 1_000_000_000);
const plain = (value: number): string => value.toFixed(12);

/** Returns the first difference in words; undefined where there is none. */
export async function simulateCredits(random: Random): Promise<string | undefined> {
	const ours = world();
	const start = Date.UTC(2024, random.whole(0, 11), random.whole(1, 28)) + random.whole(0, dayMs - 1);
	ours.clock.at = start as Instant;
	const make = maker(ours);
	await make.product();
	await make.currency("gold");
	const rates = { images: random.decimal(9, 2), calls: random.decimal(3, 2), words: "1" };
	for (const id of Object.keys(rates)) await make.feature(id, metered);
	const insist = async (method: string, path: string, body?: object) => {
		const answer = await ours.call(method, path, { body });
		if (answer.status > 201) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
		return answer.body.data;
	};
	const meter = (name: string, aggregation: object) => ({
		meter: { aggregation, filters: [{ conditions: [{ field: "eventName", operation: "EQUALS", value: name }] }] },
	});
	await insist("PATCH", "/features/calls", meter("call", { function: "COUNT" }));
	await insist("PATCH", "/features/words", meter("prompt", { function: "SUM", field: "input" }));
	const monthly = random.decimal(200, 2);
	await make.plan("ai");
	await make.entitle("/plans/ai", { type: "CREDIT", id: "gold", amount: Number(monthly), cadence: "MONTH" });
	await make.entitle(
		"/plans/ai",
		...Object.keys(rates).map((id) => ({ type: "FEATURE", id, hasUnlimitedUsage: true })),
	);
	await make.charge("/plans/ai", {
		pricingType: "PAID",
		pricingModels: Object.entries(rates).map(([featureId, amount]) => ({
			billingModel: "CREDIT_BASED",
			featureId,
			pricePeriods: [
				{
					billingPeriod: "MONTHLY",
					creditRate: {
						amount: Number(amount),
						currencyId: "gold",
						...(featureId === "words" && { costFormula: "input * 0.5 + 2 * output" }),
					},
				},
			],
		})),
	});
	await make.publish("/plans/ai");
	await insist("POST", "/customers", { id: "acme" });
	await insist("POST", "/subscriptions", { customerId: "acme", planId: "ai" });
	const { services, thread, transactions, actor } = ours;
	const consuming = new EventCharging({ ...thread, eventIds: services.eventIds, log: services.log });
	await consuming.run();
	const oracle = new CreditOracle(start, monthly);
	const granted: Array<{ readonly grant: Grant; readonly id: string; readonly invoiceId: string | null }> = [];
	const invoices: Array<{ total: string; state: "OPEN" | "PAID" }> = [];
	let now = start;
	let keys = 0;
	const wait = (until: number) => {
		now = until;
		ours.clock.at = now as Instant;
		while ((transactions.read(actor, nextDueAt) ?? Number.POSITIVE_INFINITY) <= now) {
			const step = transactions.write(actor, (work) => runNextDue(work, now as Instant));
			if (step?.failure) throw step.failure;
		}
		oracle.run(now);
	};
	const acts = {
		report: async () => {
			keys += 1;
			const value = random.whole(1, 40);
			const usage = { customerId: "acme", featureId: "images", value, idempotencyKey: `u${keys}` };
			await insist("POST", "/usage", { usages: [usage] });
			oracle.consume(times(parse(rates.images), ratio(value)));
		},
		events: async () => {
			const events = Array.from({ length: random.whole(1, 6) }, () => {
				keys += 1;
				const [input, output] = [random.whole(0, 30), random.whole(0, 9)];
				const isCall = random.chance(0.5);
				oracle.consume(isCall ? parse(rates.calls) : ratio(input + 4 * output, 2));
				const dimensions = isCall ? {} : { input, output };
				return { customerId: "acme", eventName: isCall ? "call" : "prompt", idempotencyKey: `e${keys}`, dimensions };
			});
			const answer = await ours.call("POST", "/events", { body: { events } });
			if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
			await consuming.run();
		},
		grant: async () => {
			const isPaid = random.chance(0.7);
			const method = random.oneOf(["INVOICE", "INVOICE", "NONE"] as const);
			const isInvoicePaid = method === "INVOICE" && random.chance(0.3);
			const [amount, cost] = [random.decimal(90, 2), isPaid ? random.decimal(40, 2) : "0"];
			const from = random.chance(0.2) ? now + random.whole(1, 20) * dayMs : now;
			const until = random.chance(0.5) ? from + random.whole(1, 50) * dayMs : null;
			const priority = random.oneOf([1, 50, 50, 90]);
			const { id, invoiceId } = await insist("POST", "/credits/grants", {
				...{
					customerId: "acme",
					currencyId: "gold",
					displayName: `g${granted.length}`,
					amount: Number(amount),
					priority,
				},
				grantType: isPaid ? "PAID" : "PROMOTIONAL",
				...(isPaid && { cost: { amount: Number(cost), currency: "usd" }, paymentCollectionMethod: method }),
				...(isInvoicePaid && isPaid && { billingInformation: { isInvoicePaid } }),
				...(from > now && { effectiveAt: new Date(from).toISOString() }),
				...(until !== null && { expireAt: new Date(until).toISOString() }),
			});
			const isInvoiced = isPaid && method === "INVOICE";
			if (isInvoiced) invoices.push({ total: cost, state: isInvoicePaid ? "PAID" : "OPEN" });
			const granting = { name: id, isPaid, amount: parse(amount), cost: parse(cost), priority, from, until };
			oracle.grant(now, granting, isInvoiced && !isInvoicePaid);
			const grant = oracle.grants.at(-1);
			if (grant) granted.push({ grant, id, invoiceId: isInvoiced ? invoiceId : null });
		},
		pay: async () => {
			const waiting = granted.filter(({ grant }) => grant.state === "PENDING");
			if (waiting.length === 0) return;
			const { grant, invoiceId } = random.oneOf(waiting);
			await insist("POST", `/customers/acme/invoices/${invoiceId}/paid`);
			const invoiced = granted.filter((one) => one.invoiceId !== null);
			const invoice = invoices[invoiced.findIndex((one) => one.grant === grant)];
			if (invoice) invoice.state = "PAID";
			oracle.pay(now, grant);
		},
		void: async () => {
			const voidable = granted.filter(({ grant: { state } }) => state === "ACTIVE" || state === "SCHEDULED");
			if (voidable.length === 0) return;
			const { grant, id } = random.oneOf(voidable);
			await insist("POST", `/credits/grants/${id}/void`);
			oracle.void(grant);
		},
	};
	try {
		for (let call = random.whole(5, 20); call > 0; call -= 1) {
			const due = oracle.nextDue();
			wait(random.chance(0.4) ? Math.max(now, due + random.oneOf([-1, 0, 1])) : now + random.whole(0, 12 * dayMs));
			await acts[random.oneOf(["report", "report", "events", "events", "grant", "grant", "pay", "void"] as const)]();
			const difference = await differenceOf();
			if (difference !== undefined) return `${new Date(now).toISOString()} ${difference}`;
		}
		return undefined;
	} finally {
		ours.db.$client.close();
	}

	async function differenceOf(): Promise<string | undefined> {
		const { status, body } = await ours.call("GET", "/customers/acme/entitlements/check?currencyId=gold");
		if (status !== 200) throw new Error(JSON.stringify(body));
		const balance = less(parse(plain(body.data.usageLimit)), parse(plain(body.data.currentUsage)));
		const near = (one: Rational, other: Rational) =>
			compare(less(one, other), tolerance) < 0n && compare(less(other, one), tolerance) < 0n;
		if (!near(balance, oracle.balance)) return `the balance is ${show(balance)}, and should be ${show(oracle.balance)}`;
		const sums = (await ours.call("GET", "/credits/revenue")).body.sums.find(
			({ costCurrency }: { costCurrency: string }) => costCurrency === "usd",
		);
		for (const [figure, expected] of Object.entries(oracle.revenue)) {
			const found = parse(plain(sums?.[figure] ?? 0));
			if (!near(found, expected)) return `the ${figure} revenue is ${show(found)}, and should be ${show(expected)}`;
		}
		const issued = await insist("GET", "/customers/acme/invoices?limit=100");
		const text = issued
			.filter(({ total }: { total: number }) => total > 0)
			.map(({ total, state }: { total: number; state: string }) => `${state} ${total}`);
		const wanted = invoices.map(({ total, state }) => `${state} ${Number(total)}`);
		return text.toSorted().join() === wanted.toSorted().join()
			? undefined
			: `the invoices are ${text}, and should be ${wanted}`;
	}
}

const show = ({ over, under }: Rational): string => (Number(over) / Number(under)).toFixed(6);
