import { type Decimal, toDecimal } from "../../../kernel/decimal";
import {
	type Bound,
	boundOf,
	costOfTransactions,
	type TransactionPrice,
	type TransactionSums,
} from "../../pricing/models/transaction";
import { type DimensionValue, decimalOf, measureOf } from "../rules";
import type { Aggregate, Summary } from "./aggregate";
import { ExactSum } from "./exact-sum";
import { noMembers } from "./no-members";

/** Returns the value of a transaction; undefined for one that costs nothing. */
export function valueOfTransaction(found: DimensionValue | undefined): number | Decimal | undefined {
	const value = measureOf(found);
	return value === undefined || (typeof value === "number" ? value < 0 : value.startsWith("-")) ? undefined : value;
}

/** Reads the state of a `Transactions` aggregate. */
export function sumsOfState(state: string): TransactionSums {
	const [counted, ignored, atMinimum, atMaximum, between, valueBetween = "0", value = "0"] = state.split("/");
	return {
		...{ counted: Number(counted), ignored: Number(ignored), atMinimum: Number(atMinimum) },
		...{ atMaximum: Number(atMaximum), between: Number(between) },
		...{ valueBetween: decimalOf(valueBetween), value: decimalOf(value) },
	};
}

/** Transactions by the bound that decides their cost, with exact sums of their values. State: the sums, divided by slashes. */
export class Transactions implements Aggregate {
	readonly members = noMembers;
	readonly #price: TransactionPrice;
	readonly #boundOf: (value: Decimal | number) => Bound;
	readonly #counts = { minimum: 0, maximum: 0, between: 0 };
	readonly #valueBetween = new ExactSum();
	readonly #value = new ExactSum();
	#ignored = 0;

	constructor(price: TransactionPrice) {
		this.#price = price;
		this.#boundOf = boundOf(price);
	}

	add(found: DimensionValue | undefined): void {
		const value = valueOfTransaction(found);
		if (value === undefined) {
			this.#ignored += 1;
			return;
		}
		const bound = this.#boundOf(value);
		this.#counts[bound] += 1;
		if (bound === "between") this.#valueBetween.add(value);
		this.#value.add(value);
	}

	merge({ state }: Summary): void {
		const { ignored, atMinimum, atMaximum, between, valueBetween, value } = sumsOfState(state);
		this.#ignored += ignored;
		this.#counts.minimum += atMinimum;
		this.#counts.maximum += atMaximum;
		this.#counts.between += between;
		this.#valueBetween.add(valueBetween);
		this.#value.add(value);
	}

	get state(): string {
		const { minimum, maximum, between } = this.#counts;
		const counts = [minimum + maximum + between, this.#ignored, minimum, maximum, between];
		return [...counts, this.#valueBetween.value, this.#value.value].join("/");
	}

	get value(): Decimal {
		return toDecimal(costOfTransactions(this.#price, sumsOfState(this.state)));
	}
}
