import { expect } from "bun:test";
import type { LineBasis } from "../../../src/areas/pricing/basis";
import { explainLine } from "../../../src/areas/pricing/explain/explain";
import type { ExplainedLine } from "../../../src/areas/pricing/explain/steps";
import { exact } from "../../../src/kernel/decimal";

/** A fraction of two big integers, the second above zero. */
type Fraction = readonly [bigint, bigint];

/** Carries out the arithmetic of a step as a person would: by fractions, and rounding where it says so. */
function evaluate(text: string): Fraction {
	const tokens = text.match(/\d+(\.\d+)?|[a-z]+|[-+*/(),]/g) ?? [];
	let at = 0;
	const take = (token: string): boolean => {
		if (tokens[at] !== token) return false;
		at += 1;
		return true;
	};
	const demand = (token: string): void => {
		if (!take(token)) throw new Error(`'${token}' is missing in ${text}`);
	};
	const sum = (): Fraction => {
		let value = product();
		for (;;) {
			if (take("+")) value = plus(value, product(), 1n);
			else if (take("-")) value = plus(value, product(), -1n);
			else return value;
		}
	};
	const product = (): Fraction => {
		let [over, under] = factor();
		for (;;) {
			if (take("*")) {
				const [a, b] = factor();
				[over, under] = [over * a, under * b];
			} else if (take("/")) {
				const [a, b] = factor();
				[over, under] = a < 0n ? [-over * b, under * -a] : [over * b, under * a];
			} else return [over, under];
		}
	};
	const factor = (): Fraction => {
		if (take("-")) {
			const [over, under] = factor();
			return [-over, under];
		}
		if (take("(")) {
			const value = sum();
			demand(")");
			return value;
		}
		const token = tokens[at] ?? "";
		at += 1;
		if (/^\d/.test(token)) return number(token);
		demand("(");
		const values = [sum()];
		while (take(",")) values.push(sum());
		demand(")");
		return call(token, values);
	};
	const value = sum();
	if (at < tokens.length) throw new Error(`${tokens[at]} is too much in ${text}`);
	return value;
}

const plus = ([a, b]: Fraction, [c, d]: Fraction, sign: bigint): Fraction => [a * d + sign * c * b, b * d];

function number(token: string): Fraction {
	const [whole = "0", places = ""] = token.split(".");
	return [BigInt(whole + places), 10n ** BigInt(places.length)];
}

const floor = ([over, under]: Fraction): bigint => (over >= 0n ? over / under : -((-over + under - 1n) / under));

function call(name: string, [one = [0n, 1n], other = [0n, 1n]]: readonly Fraction[]): Fraction {
	const isLess = one[0] * other[1] < other[0] * one[1];
	if (name === "floor") return [floor(one), 1n];
	if (name === "ceil") return [-floor([-one[0], one[1]]), 1n];
	if (name === "min") return isLess ? one : other;
	if (name === "max") return isLess ? other : one;
	if (name !== "round") throw new Error(`${name} is no function`);
	const scale = 10n ** (other[0] / other[1]);
	const [over, under] = [one[0] * scale, one[1]];
	const half = floor([2n * (over < 0n ? -over : over) + under, 2n * under]);
	return [over < 0n ? -half : half, scale];
}

const isSame = ([over, under]: Fraction, value: string): boolean =>
	exact(over.toString()).eq(exact(under.toString()).times(exact(value)));

/** Checks that each step is right and that the steps yield the figures of the line. */
export function expectExplained(line: ExplainedLine, basis: LineBasis, currency: string): void {
	const steps = explainLine(line, basis, currency);
	for (const { arithmetic, value } of steps)
		expect([arithmetic, value, isSame(evaluate(arithmetic), value)]).toEqual([arithmetic, value, true]);
	const valueOfStep = (name: string): string => steps.find(({ of }) => of === name)?.value ?? "";
	for (const name of ["amount", "discount", "tax", "total"] as const)
		expect([name, exact(valueOfStep(name)).eq(line[name])]).toEqual([name, true]);
}
