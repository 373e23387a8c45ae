import type { Act, Call, History } from "../simulated-subscriptions/acts";
import { addMonths, dayMs } from "../simulated-subscriptions/calendar";
import type { Used } from "../simulated-subscriptions/calls";
import { type Ask, createEntities, createPriceList, publishAgain } from "../simulated-subscriptions/catalogue";
import { contractActs } from "../simulated-subscriptions/contracts/history";
import { ContractOracle, contractRef } from "../simulated-subscriptions/contracts/oracle";
import { actsOf, randomSetup } from "../simulated-subscriptions/history";
import { Oracle } from "../simulated-subscriptions/oracle";
import type { PriceList } from "../simulated-subscriptions/price-list";
import { randomPriceList } from "../simulated-subscriptions/price-list.random";
import { type Random, randomOf } from "../simulated-subscriptions/random";
import { contractRequests } from "./contract-requests";
import { begin, iso, type Plan, type Request, type Size, type Step } from "./plan";

/**
 * Returns environments with a random price list each, in which simulated subscriptions and contracts of many customers
 * run side by side on one clock. The acts are those of `bun run simulate`, chosen without the system under test: a request
 * that it rejects is recorded with its rejection.
 */
export async function planHistories({ priceLists, histories, contracts, months }: Size): Promise<Plan> {
	const plans: Plan[] = [];
	let contractsLeft = contracts;
	for (let at = 0; plans.length < priceLists; at += 1) {
		const list = randomPriceList(randomOf(1000 + at));
		const share = list.isByResource ? 0 : Math.min(contractsLeft, Math.ceil((contracts * 2) / priceLists));
		contractsLeft -= share;
		plans.push(await planPriceList(`list-${at}`, list, { histories, contracts: share, months, seed: at }));
	}
	return { environments: plans.flatMap((one) => one.environments), steps: plans.flatMap((one) => one.steps) };
}

interface Shape {
	readonly histories: number;
	readonly contracts: number;
	readonly months: number;
	readonly seed: number;
}

async function planPriceList(
	environment: string,
	list: PriceList,
	{ histories, contracts, months, seed }: Shape,
): Promise<Plan> {
	const until = addMonths(begin, months);
	const at = (time: number) => (request: Request) => ({ environment, at: iso(time), ...request });
	const steps: Step[] = [
		...(await requestsOf((ask) => createPriceList(list, ask))).map(at(begin)),
		...(await requestsOf(createEntities)).map(at(begin)),
	];
	const timed: Array<{ readonly time: number; readonly requests: readonly Request[] }> = [];
	let publications = 0;
	for (let nth = 0; nth < histories; nth += 1) {
		const random = randomOf(seed * 10_000 + nth);
		const customer = `c${nth}`;
		const history = historyOf(random, list, { hasContract: nth < contracts, months });
		timed.push({ time: history.startAt, requests: customerRequests(customer, history) });
		for (const act of history.acts) {
			if (act.at >= until) break;
			if (act.do === "publish" && publications++ % publicationsKept > 0) continue;
			timed.push({ time: act.at, requests: await actRequests(customer, list, act) });
		}
	}
	timed.sort((one, other) => one.time - other.time);
	steps.push(...timed.flatMap(({ time, requests }) => requests.map(at(time))));
	const billingAnchor = list.isFromTheFirst ? "START_OF_THE_MONTH" : "SUBSCRIPTION_START";
	return { environments: [{ name: environment, billingAnchor, until: iso(until) }], steps };
}

/** Returns the requests that `body` would send. */
async function requestsOf(body: (ask: Ask) => Promise<unknown>): Promise<Request[]> {
	const requests: Request[] = [];
	await body(async (method, path, options = {}) => {
		requests.push({ method, path, ...(options.body !== undefined && { body: options.body }) });
		return { status: 201, headers: new Headers(), body: { data: {} } };
	});
	return requests;
}

/** The customers arrive in the first third of the time. */
function historyOf(
	random: Random,
	list: PriceList,
	{ hasContract, months }: { readonly hasContract: boolean; readonly months: number },
): History {
	const setup = randomSetup(random, list);
	const day = begin + random.whole(1, months * 10) * dayMs;
	const startAt = day + (random.chance(0.5) ? 0 : random.whole(0, dayMs - 1));
	const born = { ...setup, startAt, hasContract, ...(hasContract && { graceDays: null }) };
	const acts: Act[] = [];
	try {
		if (hasContract) {
			const oracle = new ContractOracle();
			collect(contractActs(random, born, oracle), oracle, acts);
		} else {
			const oracle = new Oracle(list, { ...born, at: startAt });
			collect(actsOf(random, born, oracle), oracle, acts);
		}
	} catch {
		// The oracle does not know what follows a request that the system rejects. The history ends with that request.
	}
	return { ...born, acts };
}

function collect(acts: Iterable<Act>, oracle: { tell(act: Act): void }, into: Act[]): void {
	for (const act of acts) {
		into.push(act);
		oracle.tell(act);
	}
}

function customerRequests(id: string, { couponId, graceDays }: History): Request[] {
	return [
		{
			method: "POST",
			path: "/customers",
			body: { id, name: `Customer ${id}`, email: `${id}@example.test`, ...(couponId && { couponId }) },
		},
		...(graceDays === null
			? []
			: [
					{
						method: "PATCH",
						path: `/customers/${id}/invoicing`,
						body: { legalEntityId: `{legalEntity:Grace ${graceDays}}` },
					},
				]),
	];
}

/** One publication in this many is sent. Others would only move all subscriptions of the environment again. */
const publicationsKept = 6;

async function actRequests(customer: string, list: PriceList, act: Act): Promise<Request[]> {
	switch (act.do) {
		case "wait":
			return [];
		case "use":
			return [usageRequest(customer, act.used, act.at)];
		case "publish": {
			const requests = await requestsOf((ask) =>
				publishAgain(act.plan, ask, { toAll: act.toAll === true, country: list.country }),
			);
			return requests.map((one, at) => (at === requests.length - 1 ? { ...one, waitsFor: "tasks" as const } : one));
		}
		case "contract":
			return contractRequests(customer, `${customer}-${contractRef}`, act.act);
		default:
			return [callRequest(customer, act, act.at)];
	}
}

const usageRequest = (customerId: string, used: readonly Used[], now: number): Request => ({
	method: "POST",
	path: "/events",
	body: {
		events: used.map(({ feature, n, at, resource }, nth) => ({
			eventName: feature,
			customerId,
			...(resource !== undefined && { resourceId: resource }),
			idempotencyKey: `${customerId}-${now}-${nth}`,
			timestamp: iso(at),
			dimensions: { n: Number(n) },
		})),
	},
	waitsFor: "usage",
});

function callRequest(customer: string, call: Exclude<Call, { do: "contract" }>, now: number): Request {
	const own = (id: string) => `${customer}-${id}`;
	const invoices = `/customers/${customer}/invoices`;
	const post = (path: string, body: unknown = {}): Request => ({ method: "POST", path, body });
	switch (call.do) {
		case "buy":
			return post("/subscriptions", { ...call.body, id: own(call.body.id), customerId: customer });
		case "take over": {
			const item = { ...call.body, id: own(call.body.id), customerId: customer };
			return { ...post("/subscriptions/import", { subscriptions: [item] }), waitsFor: "tasks" };
		}
		case "change": {
			return { method: "PATCH", path: `/subscriptions/${own(call.id)}`, body: call.body };
		}
		case "cancel":
		case "pause":
		case "resume":
		case "transfer":
		case "migrate":
			return post(`/subscriptions/${own(call.id)}/${call.do}`, call.body);
		case "charge":
			return post(
				`/subscriptions/${own(call.id)}/usage/charge`,
				call.until === now ? {} : { untilDate: iso(call.until) },
			);
		case "drop":
			return { method: "DELETE", path: `/subscriptions/${own(call.id)}/future-update/schedule` };
		case "drop what is to be paid":
			return { method: "DELETE", path: `/subscriptions/${own(call.id)}/future-update/pending-payment` };
		case "finalize":
			return { method: "POST", path: `${invoices}/{draft:${customer}:${call.draft}}/finalize` };
		case "add line":
			return post(`${invoices}/{draft:${customer}:${call.draft}}/lines`, call.body);
		case "pay":
			return post(`${invoices}/{invoice:${customer}:${call.invoice}}/paid`);
		case "credit":
			return post(`${invoices}/{invoice:${customer}:${call.invoice}}/credit-note`);
	}
}
