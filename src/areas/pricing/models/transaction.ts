import { type Big, type Decimal, exact, toDecimal, zero } from "../../../kernel/decimal";

/** The price of each transaction: an event of a meter. Amounts are in major units of the currency. */
export interface TransactionPrice {
	readonly currency: string;
	/** Percent of the transaction's value. Exactly one of this and `formula` is set. */
	readonly percentRate?: Decimal;
	/** The amount as a formula over the dimensions of the event. */
	readonly formula?: string;
	readonly fixedFee?: Decimal;
	readonly minimum?: Decimal;
	readonly maximum?: Decimal;
	/** The first transactions of a window are free, until one of the two allowances is used up. */
	readonly freeTransactions?: number;
	readonly freeAmount?: Decimal;
}

/** The transactions of some time, counted so that their exact cost follows. Counts of disjoint times add up. */
export interface TransactionSums {
	readonly counted: number;
	/** Events without a value, with a text, or with a value below 0. They cost nothing. */
	readonly ignored: number;
	readonly atMinimum: number;
	readonly atMaximum: number;
	/** Transactions between the bounds, and the sum of their values. */
	readonly between: number;
	readonly valueBetween: Decimal;
	/** The sum of all values. */
	readonly value: Decimal;
}

/** The factor of a value: a formula states the amount itself. */
export const factorOf = ({ percentRate }: TransactionPrice): Big =>
	percentRate === undefined ? exact(1) : exact(percentRate).times("0.01");

/** Returns the exact cost of one transaction. */
export function costOfTransaction(price: TransactionPrice, value: Decimal | number): Big {
	const { fixedFee = zero, minimum, maximum } = price;
	const cost = exact(value).times(factorOf(price)).plus(fixedFee);
	if (maximum !== undefined && cost.gt(maximum)) return exact(maximum);
	return minimum !== undefined && cost.lt(minimum) ? exact(minimum) : cost;
}

/** Returns the exact cost of transactions, without free ones. */
export function costOfTransactions(price: TransactionPrice, sums: TransactionSums): Big {
	const { fixedFee = zero, minimum = zero, maximum = zero } = price;
	return exact(sums.valueBetween)
		.times(factorOf(price))
		.plus(exact(fixedFee).times(sums.between))
		.plus(exact(minimum).times(sums.atMinimum))
		.plus(exact(maximum).times(sums.atMaximum));
}

export type Bound = "minimum" | "maximum" | "between";

/** A difference of doubles beyond this share of the values is a difference of the exact values too. */
const doubtful = 1e-9;

/** Returns a function that finds the bound that decides the cost of a value. It compares doubles, and exactly where these are close. */
export function boundOf(price: TransactionPrice): (value: Decimal | number) => Bound {
	const { minimum, maximum } = price;
	if (minimum === undefined && maximum === undefined) return () => "between";
	const [factor, fee] = [factorOf(price).toNumber(), Number(price.fixedFee ?? 0)];
	const [least, most] = [Number(minimum ?? 0), Number(maximum ?? Number.POSITIVE_INFINITY)];
	const isClose = (cost: number, bound: number) => Math.abs(cost - bound) <= doubtful * (Math.abs(cost) + bound + 1);
	const exactly = (value: Decimal | number): Bound => {
		const cost = exact(value)
			.times(factorOf(price))
			.plus(price.fixedFee ?? zero);
		if (maximum !== undefined && cost.gt(maximum)) return "maximum";
		return minimum !== undefined && cost.lt(minimum) ? "minimum" : "between";
	};
	return (value) => {
		const cost = Number(value) * factor + fee;
		if (isClose(cost, least) || isClose(cost, most)) return exactly(value);
		return cost > most ? "maximum" : cost < least ? "minimum" : "between";
	};
}

/** The transactions of a window, with the free ones. */
export interface TransactionCount extends TransactionSums {
	/** The cost that the allowances take away. */
	readonly freeCost: Decimal;
	/** The exact cost that is left. */
	readonly cost: Decimal;
}

export const countedAs = (price: TransactionPrice, sums: TransactionSums, freeCost: Big): TransactionCount => ({
	...sums,
	freeCost: toDecimal(freeCost),
	cost: toDecimal(costOfTransactions(price, sums).minus(freeCost)),
});
