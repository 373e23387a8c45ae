import { type Big, type Decimal, exact, toDecimal } from "../../../kernel/decimal";

/** Places after the point that are added as whole numbers. */
const millionths = 1e6;
/** Below it, a double with so many places is the shortest form of one decimal only: at most fifteen digits. */
const millionthsMax = 1e15;

/**
 * Adds exact decimals. Whole numbers within 2^53, and decimals of at most six places, are added as whole numbers, which is
 * exact and many times faster than arbitrary precision; all others as `Big`.
 */
export class ExactSum {
	#whole = 0;
	#millionths = 0;
	#rest: Big | undefined;

	/** `value` is finite; a double counts as the shortest decimal that denotes it. */
	add(value: number | Decimal): void {
		const number = typeof value === "number" ? value : shortOf(value);
		const sum = this.#whole + number;
		// A double beyond 2^53 or with a fraction fails this test. So does NaN, which stands for "not short".
		if (Number.isSafeInteger(number) && Number.isSafeInteger(sum)) {
			this.#whole = sum;
			return;
		}
		const scaled = Math.round(number * millionths);
		const scaledSum = this.#millionths + scaled;
		const isExact = Math.abs(scaled) < millionthsMax && scaled / millionths === number;
		if (isExact && Number.isSafeInteger(scaledSum)) this.#millionths = scaledSum;
		else this.#rest = (this.#rest ?? exact(0)).plus(exact(value));
	}

	get value(): Decimal {
		if (this.#rest === undefined && this.#millionths === 0) return String(this.#whole) as Decimal;
		const sum = exact(this.#whole).plus(exact(this.#millionths).times("0.000001"));
		return toDecimal(this.#rest ? sum.plus(this.#rest) : sum);
	}
}

/** Stored decimals are plain digits, so up to fifteen characters are one double that denotes them alone. */
const shortOf = (value: Decimal): number => (value.length <= 15 ? Number(value) : Number.NaN);
