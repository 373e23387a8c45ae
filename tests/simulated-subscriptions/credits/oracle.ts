/**
 * An independent calculation of a customer's credits in exact fractions, from docs/credits.md. It imports nothing of
 * `src`.
 */
import { add, compare, less, parse, type Rational, ratio, smaller, times } from "../../support/oracle/rational";
import { monthsAround } from "../calendar";

export type GrantState = "PENDING" | "SCHEDULED" | "ACTIVE" | "EXPIRED" | "VOIDED";

interface Granting {
	readonly name: string;
	readonly isPaid: boolean;
	readonly amount: Rational;
	/** The cost of the whole grant. */
	readonly cost: Rational;
	readonly priority: number;
	readonly from: number;
	readonly until: number | null;
}

export interface Grant extends Granting {
	state: GrantState;
	consumed: Rational;
}

/** The cost of paid grants, by outcome. */
export interface Revenue {
	readonly granted: Rational;
	readonly recognised: Rational;
	readonly breakage: Rational;
	readonly voided: Rational;
	readonly deferred: Rational;
}

const nought = ratio(0);
const isPositive = (value: Rational): boolean => compare(value, nought) > 0n;
const over = (value: Rational, by: Rational): Rational => times(value, ratio(by.under, by.over));
const sumOf = (values: readonly Rational[]): Rational => values.reduce(add, nought);
const leftOf = ({ amount, consumed }: Grant): Rational => less(amount, consumed);

export class CreditOracle {
	readonly grants: Grant[] = [];
	/** Consumption that no grant covers yet. */
	overdraft = nought;
	readonly #anchor: number;
	readonly #monthly: Rational;
	#month = 0;

	/** A plan grants `monthly` credits in each month, counted from the start of the subscription. */
	constructor(startAt: number, monthly: string) {
		this.#anchor = startAt;
		this.#monthly = parse(monthly);
		this.#grantMonth(startAt);
	}

	/** The granted credits that are not consumed, less the overdraft. */
	get balance(): Rational {
		return less(sumOf(this.#active.map(leftOf)), this.overdraft);
	}

	get revenue(): Revenue {
		const paid = this.grants.filter(({ isPaid, from: _, state }) => isPaid && state !== "PENDING");
		const begun = paid.filter((grant) => this.#begun.has(grant));
		const worth = (grant: Grant, credits: Rational) => over(times(grant.cost, credits), grant.amount);
		const granted = sumOf(begun.map(({ cost }) => cost));
		const recognised = sumOf(begun.map((grant) => worth(grant, grant.consumed)));
		const lost = (state: GrantState) =>
			sumOf(begun.filter((grant) => grant.state === state).map((grant) => worth(grant, leftOf(grant))));
		const [breakage, voided] = [lost("EXPIRED"), lost("VOIDED")];
		return {
			granted,
			recognised,
			breakage,
			voided,
			deferred: less(granted, add(recognised, add(breakage, voided))),
		};
	}

	/** When a month begins, or a grant begins or expires, next. */
	nextDue(): number {
		const times = this.grants.flatMap((grant) => this.#dueOf(grant) ?? []);
		return Math.min(this.#month, ...times);
	}

	/** Everything that is due by then happens; what expires at one instant goes before what begins. */
	run(until: number): void {
		for (let at = this.nextDue(); at <= until; at = this.nextDue()) {
			const due = this.grants.find((grant) => this.#dueOf(grant) === at);
			if (!due) this.#grantMonth(at);
			else if (due.state === "SCHEDULED") this.#begin(due, at);
			else due.state = "EXPIRED";
		}
	}

	grant(now: number, granting: Granting, awaitsPayment: boolean): void {
		const grant: Grant = { ...granting, state: awaitsPayment ? "PENDING" : "SCHEDULED", consumed: nought };
		this.grants.push(grant);
		if (!awaitsPayment) this.#begin(grant, now);
	}

	pay(now: number, grant: Grant): void {
		grant.state = "SCHEDULED";
		this.#begin(grant, now);
	}

	void(grant: Grant): void {
		grant.state = "VOIDED";
	}

	consume(credits: Rational): void {
		let wanted = credits;
		for (const grant of this.#inOrder()) {
			const part = smaller(leftOf(grant), wanted);
			grant.consumed = add(grant.consumed, part);
			wanted = less(wanted, part);
		}
		this.overdraft = add(this.overdraft, wanted);
	}

	readonly #begun = new Set<Grant>();

	get #active(): Grant[] {
		return this.grants.filter(({ state }) => state === "ACTIVE");
	}

	#dueOf({ state, from, until }: Grant): number | undefined {
		if (state === "SCHEDULED") return from;
		return state === "ACTIVE" && until !== null ? until : undefined;
	}

	/** A grant settles the overdraft first. */
	#begin(grant: Grant, now: number): void {
		if (grant.from > now) return;
		this.#begun.add(grant);
		const isOver = grant.until !== null && grant.until <= now;
		grant.state = isOver ? "EXPIRED" : "ACTIVE";
		if (isOver) return;
		const settled = smaller(this.overdraft, grant.amount);
		grant.consumed = settled;
		this.overdraft = less(this.overdraft, settled);
	}

	#grantMonth(at: number): void {
		const { end } = monthsAround(this.#anchor, 1, at);
		this.#month = end;
		const monthly = { name: "monthly", isPaid: false, amount: this.#monthly, cost: nought, priority: 50 };
		this.grant(at, { ...monthly, from: at, until: end }, false);
	}

	/** Lower priority number, sooner expiry, granted before paid, earlier start, older. */
	#inOrder(): Grant[] {
		const endOf = ({ until }: Grant) => until ?? Number.MAX_SAFE_INTEGER;
		return this.#active
			.filter((grant) => isPositive(leftOf(grant)))
			.toSorted(
				(one, other) =>
					one.priority - other.priority ||
					endOf(one) - endOf(other) ||
					Number(one.isPaid) - Number(other.isPaid) ||
					one.from - other.from,
			);
	}
}
