import { type Big, type Decimal, exact, toDecimal } from "../../../kernel/decimal";

/**
 * Adds exact decimals. Whole numbers within 2^53 are added as numbers, which is exact and many times faster than
 * arbitrary precision; all others as `Big`.
 */
export class ExactSum {
	#whole = 0;
	#rest: Big | undefined;

	/** `value` is finite; a double counts as the shortest decimal that denotes it. */
	add(value: number | Decimal): void {
		const number = typeof value === "number" ? value : wholeOf(value);
		const sum = this.#whole + number;
		// A double beyond 2^53 or with a fraction fails this test. So does NaN, which stands for "not a small whole
		// number".
		if (Number.isSafeInteger(number) && Number.isSafeInteger(sum)) this.#whole = sum;
		else this.#rest = (this.#rest ?? exact(0)).plus(exact(value));
	}

	get value(): Decimal {
		if (this.#rest === undefined) return String(this.#whole) as Decimal;
		return toDecimal(this.#rest.plus(exact(this.#whole)));
	}
}

/** Stored decimals are plain digits, so up to fifteen characters are a whole number that a double holds exactly. */
const wholeOf = (value: Decimal): number => (value.length <= 15 && !value.includes(".") ? Number(value) : Number.NaN);
