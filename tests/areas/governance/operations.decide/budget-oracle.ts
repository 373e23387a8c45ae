import { add, compare, parse, type Rational, ratio, times } from "../../../support/oracle/rational";

/** A budget with its usage by window. */
export interface Budget {
	readonly entity: string;
	readonly scope: readonly string[];
	limit: Rational | null;
	isSoft: boolean;
	minutes: number;
	anchor: number;
	readonly used: Map<string, Rational>;
}

/** A budget in one of its windows. */
type Place = readonly [budget: Budget, window: string];

interface Hold {
	readonly amount: Rational;
	readonly expiresAt: number;
	readonly names: readonly string[];
	readonly places: readonly Place[];
	isOpen: boolean;
}

const nothing = ratio(0);
const negative = (amount: Rational) => times(ratio(-1), amount);

/** The budgets of one feature or currency of one customer, calculated from the interface page alone. */
export class BudgetOracle {
	readonly parents = new Map<string, string | null>();
	readonly budgets: Budget[] = [];
	readonly archived = new Set<string>();
	readonly holds = new Map<string, Hold>();
	readonly events = new Map<string, { readonly amount: string; readonly places: readonly Place[] }>();

	/** The entity and its ancestors. */
	path(entity: string): string[] {
		const parent = this.parents.get(entity);
		return parent ? [entity, ...this.path(parent)] : [entity];
	}

	/** The budgets that apply to a use, each once. */
	applying(names: readonly string[]): Budget[] {
		const levels = new Set(names.flatMap((name) => (this.parents.has(name) ? this.path(name) : [])));
		return this.budgets.filter(
			({ entity, scope }) =>
				levels.has(entity) && !this.archived.has(entity) && scope.every((one) => names.includes(one)),
		);
	}

	place(budget: Budget, at: number): Place {
		const count = Math.floor((at - budget.anchor) / (budget.minutes * 60_000));
		return [budget, `${budget.anchor} ${budget.minutes} ${count}`];
	}

	used([budget, window]: Place): Rational {
		return budget.used.get(window) ?? nothing;
	}

	reserved([budget, window]: Place, now: number): Rational {
		return [...this.holds.values()]
			.filter(({ isOpen, expiresAt }) => isOpen && now < expiresAt)
			.filter(({ places }) => places.some(([one, of]) => one === budget && of === window))
			.reduce((sum, { amount }) => add(sum, amount), nothing);
	}

	allows(names: readonly string[], amount: Rational, now: number): boolean {
		return this.applying(names).every((budget) => {
			const place = this.place(budget, now);
			const total = add(add(this.used(place), this.reserved(place, now)), amount);
			return budget.limit === null || budget.isSoft || compare(total, budget.limit) <= 0n;
		});
	}

	/** Usage never falls below 0, and none is from before its budget began. */
	count(budgets: readonly Budget[], amount: string, at: number): Place[] {
		const places = budgets.filter(({ anchor }) => anchor <= at).map((budget) => this.place(budget, at));
		for (const place of places) this.#add(place, parse(amount));
		return places;
	}

	#add(place: Place, amount: Rational): void {
		const after = add(this.used(place), amount);
		place[0].used.set(place[1], compare(after, nothing) < 0n ? nothing : after);
	}

	hold(id: string, names: readonly string[], amount: string, now: number, expiresAt: number): void {
		const places = this.applying(names).map((budget) => this.place(budget, now));
		this.holds.set(id, { amount: parse(amount), expiresAt, names, places, isOpen: true });
	}

	/** Returns whether the commit is granted. The part that is not reserved is decided as a new use; an expired reservation reserves nothing. */
	commit(id: string, amount: string, now: number): boolean {
		const hold = this.holds.get(id);
		if (!hold) throw new Error(`There is no reservation ${id}`);
		const isExpired = hold.expiresAt <= now;
		const more = isExpired ? parse(amount) : add(parse(amount), negative(hold.amount));
		if (compare(more, nothing) > 0n && !this.allows(hold.names, more, now)) return false;
		const chain = hold.places.map(([budget]) => budget).filter(({ entity }) => !this.archived.has(entity));
		this.count(isExpired || hold.places.length === 0 ? this.applying(hold.names) : chain, amount, now);
		hold.isOpen = false;
		return true;
	}

	release(id: string): void {
		const hold = this.holds.get(id);
		if (hold) hold.isOpen = false;
	}

	/** An event counts 1, or the credits that it costs. */
	event(key: string, names: readonly string[], at: number, amount = "1"): void {
		this.events.set(key, { amount, places: this.count(this.applying(names), amount, at) });
	}

	/** Reverses an event where it was counted. */
	cancel(key: string): void {
		const { amount, places } = this.events.get(key) ?? { amount: "0", places: [] };
		for (const place of places) this.#add(place, negative(parse(amount)));
		this.events.delete(key);
	}

	/** The rows of the tree: used and reserved amounts of the current windows, as fractions. */
	tree(now: number): Record<string, readonly [used: string, reserved: string]> {
		// The numbers of a fraction can be longer than the digits of a double.
		const text = (value: Rational) => `${Number((Number(value.over) / Number(value.under)).toPrecision(12))}`;
		return Object.fromEntries(
			this.budgets
				.filter(({ entity }) => !this.archived.has(entity))
				.map((budget) => {
					const place = this.place(budget, now);
					const key = [budget.entity, ...budget.scope].join("/");
					return [key, [text(this.used(place)), text(this.reserved(place, now))]] as const;
				}),
		);
	}
}
