import { setImmediate } from "node:timers/promises";
import type { Act, History } from "./acts";
import { differenceOf, disagreementOf, unsettledOf } from "./compare";
import { contractActs } from "./contracts/history";
import { ContractOracle } from "./contracts/oracle";
import { actsOf, randomSetup } from "./history";
import { Oracle } from "./oracle";
import type { PriceList } from "./price-list";
import { randomPriceList } from "./price-list.random";
import { type Random, randomOf } from "./random";
import { Refused } from "./refused";
import { type Customer, System } from "./system";

export interface HistoryResult {
	readonly life: History;
	readonly documents: number;
	readonly refusals: readonly string[];
	readonly difference: string | undefined;
	/** The history failed before its end. */
	readonly isBroken: boolean;
}

export interface Options {
	readonly seed: number;
	/** Every `of`-th price list, starting with `shard`. */
	readonly shard: number;
	readonly of: number;
	/** Skips this many histories of the shard, in whole price lists. */
	readonly from: number;
	readonly count: number;
}

type Open = (born: Pick<History, "couponId" | "currency" | "startAt" | "graceDays">) => Customer;

const historiesPerList = 60;
/** New files are used after this, since files only grow. */
const listsPerSystem = 12;

/** Plays histories and compares each with the oracle. One seed always makes the same histories. */
export async function* simulateHistories({
	seed,
	shard,
	of,
	from,
	count: lives,
}: Options): AsyncGenerator<HistoryResult> {
	let system = new System();
	let lived = 0;
	try {
		for (let at = shard + Math.floor(from / historiesPerList) * of; lived < lives; at += of) {
			if (lived > 0 && lived % (historiesPerList * listsPerSystem) === 0) {
				system.close();
				system = new System();
			}
			const random = randomOf(mixed(seed, at));
			let list = randomPriceList(random);
			const open = await system.open(list);
			for (let nth = 0; nth < historiesPerList && lived < lives; nth += 1) {
				lived += 1;
				const one = await simulateOne(open, list, randomOf(mixed(seed, at, nth)));
				yield one;
				// Lets postponed work of this history finish and free its memory.
				await setImmediate();
				if (one.isBroken) break;
				list = priceListAfter(one.life);
			}
		}
	} finally {
		system.close();
	}
}

/** A later history finds the publications of the former ones. */
const priceListAfter = ({ list, acts }: History): PriceList => ({
	...list,
	plans: acts.reduce(
		(plans, act) => (act.do === "publish" ? plans.map((one) => (one.id === act.plan.id ? act.plan : one)) : plans),
		list.plans,
	),
});

const mixed = (...parts: readonly number[]): number =>
	parts.reduce((hash, part) => Math.imul(hash ^ part, 0x9e3779b1) ^ (hash >>> 13), 0x811c9dc5) >>> 0;

type HistoryOracle = Pick<Oracle, "issued" | "invoices" | "balances" | "run"> & {
	readonly agreed?: ContractOracle["agreed"];
	tell(act: Act): void;
};

async function simulateOne(open: Open, list: PriceList, random: ReturnType<typeof randomOf>): Promise<HistoryResult> {
	const born = randomSetup(random, list);
	const { oracle, acts } = oracleOf(born, random);
	const thought: Act[] = [];
	const remembered = function* () {
		for (const act of acts) {
			thought.push(act);
			yield act;
		}
	};
	const lived = await play(open(born), oracle, remembered());
	return { life: { ...born, acts: thought }, ...lived };
}

/** Returns the oracle of a history, and its random acts. */
function oracleOf(born: Omit<History, "acts">, random: Random): { oracle: HistoryOracle; acts: Iterable<Act> } {
	const { list, hasContract, couponId, currency, graceDays, startAt } = born;
	if (hasContract) {
		const oracle = new ContractOracle();
		return { oracle, acts: contractActs(random, born, oracle) };
	}
	const oracle = new Oracle(list, { couponId, currency, graceDays, at: startAt });
	return { oracle, acts: actsOf(random, born, oracle) };
}

/** Plays the same history again for another customer of the environment. */
async function replay(open: Open, life: History): Promise<Omit<HistoryResult, "life">> {
	const customer = open(life);
	const lived = await play(customer, oracleOf(life, randomOf(0)).oracle, life.acts);
	await customer.restore();
	return lived;
}

async function play(
	customer: Customer,
	oracle: HistoryOracle,
	acts: Iterable<Act>,
): Promise<Omit<HistoryResult, "life">> {
	const refusals: string[] = [];
	let failure: string | undefined;
	try {
		for (const act of acts) {
			const refusal = await customer.act(act);
			if (refusal === undefined) oracle.tell(act);
			else {
				refusals.push(refusal);
				// The due steps of the call were rolled back with it.
				await customer.act({ do: "wait", at: act.at });
				oracle.run(act.at);
			}
		}
	} catch (error) {
		failure = error instanceof Refused ? `the oracle knows no ${error.message}` : `${(error as Error).stack}`;
	}
	const documents = customer.documents();
	const settlement = await customer.settlement();
	const { agreed } = oracle;
	const disagreement = failure === undefined && agreed ? disagreementOf(customer.agreed(), agreed) : undefined;
	const drift = customer.drift();
	customer.leave();
	const difference =
		failure ?? differenceOf(documents, oracle.issued) ?? unsettledOf(settlement, oracle) ?? disagreement ?? drift;
	return { documents: documents.length, refusals, difference, isBroken: failure !== undefined };
}

/**
 * Reduces a history that differs to the acts that matter. Requests that the wire would not accept are no reductions.
 */
export async function shrink({
	life,
	difference,
	isBroken: wasBroken,
}: HistoryResult): Promise<Pick<HistoryResult, "life" | "difference">> {
	const system = new System();
	try {
		const open = await system.open(life.list);
		const simpler = async (
			acts: readonly Act[],
		): Promise<(Pick<History, "acts"> & Pick<HistoryResult, "difference">) | undefined> => {
			for (const one of simplifications(acts, life)) {
				const { difference, isBroken } = await replay(open, { ...life, acts: one });
				if (difference !== undefined && isBroken === wasBroken) return { acts: one, difference };
			}
			return undefined;
		};
		let shortest: Pick<History, "acts"> & Pick<HistoryResult, "difference"> = { acts: life.acts, difference };
		for (let next = await simpler(shortest.acts); next; next = await simpler(shortest.acts)) shortest = next;
		return { life: { ...life, acts: shortest.acts }, difference: shortest.difference };
	} finally {
		system.close();
	}
}

/** Without its waits, a history with drafts would issue them too late: a call issues none. */
function simplifications(acts: readonly Act[], { graceDays }: Pick<History, "graceDays">): Act[][] {
	const without = acts
		.map((_, at) => acts.filter((__, other) => other !== at))
		.filter((_, at) => graceDays === null || acts[at]?.do !== "wait");
	const plainer = acts.flatMap((act, at) => simplifiedActs(act).map((one) => acts.with(at, one)));
	return [...without, ...plainer];
}

function simplifiedActs(act: Act): Act[] {
	switch (act.do) {
		case "use":
			return act.used.length < 2
				? []
				: act.used.map((_, at) => ({ ...act, used: act.used.filter((__, other) => other !== at) }));
		case "buy":
			return reducedBodies(act.body)
				.filter(({ id, planId }) => id !== undefined && planId !== undefined)
				.map((body) => ({ ...act, body }));
		case "change":
			return reducedBodies(act.body).map((body) => ({ ...act, body }));
		default:
			return [];
	}
}

/** Returns copies with one field less, nested fields included. An amount keeps its currency. */
const reducedBodies = <Body extends object>(body: Body): Body[] =>
	Object.entries(body).flatMap(([key, value]) => {
		const rest = { ...body };
		delete (rest as Record<string, unknown>)[key];
		const nested =
			Array.isArray(value) && value.length > 1
				? value.map((_, at) => ({ ...body, [key]: value.filter((__, other) => other !== at) }))
				: typeof value === "object" &&
						value !== null &&
						!Array.isArray(value) &&
						Object.keys(value).length > 1 &&
						key !== "minimumSpend"
					? reducedBodies(value).map((less) => ({ ...body, [key]: less }))
					: [];
		return [rest, ...nested];
	});
