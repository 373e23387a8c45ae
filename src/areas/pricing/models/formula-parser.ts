import { exact, toDecimal } from "../../../kernel/decimal";
import { fail } from "../../../kernel/errors";
import { type Formula, type FormulaFunction, type FormulaOperator, formulaFunctions } from "./formula";

/** Our choice (docs/interface/catalogue.md#limits). */
const formulaLengthMax = 1000;
/** Our choices (docs/interface/catalogue.md#limits): no real price has a deeper or longer formula. */
const depthMax = 32;
const operationsMax = 200;

const functionNames = Object.keys(formulaFunctions).join(", ");
const allowed = `allowed are numbers, dimension names, + - * / ( ) and ${functionNames}`;

/** A number needs digits on both sides of a point: `.5`, `5.` and `1e3` are rejected. The limits exceed any price. */
const numberPattern = /\d{1,30}(\.\d{1,30})?(?![\w$.])/y;
const namePattern = /[A-Za-z_$][\w$]*/y;
const spacePattern = /[ \t\r\n]*/y;
/** A dimension by its quoted name. Usage reports allow the same names (docs/interface/usage.md). */
const quotedPattern = /"[\w$-]+"|'[\w$-]+'/y;
/** `a-b` without spaces is ambiguous: a dimension of that name, or a difference. */
const hyphenatedPattern = /(?:-+[\w$]+)+/y;

/**
 * Parses a cost formula; Tollgate calls it when charges are set. Names are dimensions of an event. A name that has a hyphen or begins
 * with a digit stands in quotes. Throws BadUserInput with the position (from 1) and the allowed input; `where` names the field at
 * fault.
 *
 * The grammar is our choice (docs/interface/usage.md#credits). `a-b` is rejected: a wrong reading would
 * charge nothing, without an error.
 */
export function parseFormula(text: string, where = "costFormula"): Formula {
	if (text.length > formulaLengthMax)
		throw fail(
			"BadUserInput",
			`${where}: ${text.length} characters are too many; a formula has at most ${formulaLengthMax}.`,
		);
	return new Reader(text, where).whole();
}

class Reader {
	private at = 0;
	private depth = 0;
	private operations = 0;

	constructor(
		private readonly text: string,
		private readonly where: string,
	) {}

	whole(): Formula {
		const formula = this.sum();
		if (this.at < this.text.length) throw this.refuse(`an operator is missing before ${this.found()}`);
		return formula;
	}

	/** sum = product { ("+" | "-") product } */
	private sum(): Formula {
		let left = this.product();
		for (let operator = this.operator("+", "-"); operator; operator = this.operator("+", "-"))
			left = { kind: "operation", operator, left, right: this.product() };
		return left;
	}

	/** product = factor { ("*" | "/") factor } */
	private product(): Formula {
		let left = this.factor();
		for (let operator = this.operator("*", "/"); operator; operator = this.operator("*", "/")) {
			this.skipSpace();
			const start = this.at;
			const right = this.factor();
			if (operator === "/" && right.kind === "number" && exact(right.value).eq(0))
				throw this.refuse("nothing can be divided by 0", start);
			left = { kind: "operation", operator, left, right };
		}
		return left;
	}

	/** factor = "-" factor | number | name | quoted name | function "(" sum { "," sum } ")" | "(" sum ")" */
	private factor(): Formula {
		if (this.depth >= depthMax) throw this.refuse(`it is nested more than ${depthMax} deep`);
		this.depth += 1;
		const formula = this.unguarded();
		this.depth -= 1;
		return formula;
	}

	private unguarded(): Formula {
		if (this.operator("-")) return { kind: "negation", of: this.factor() };
		if (this.take("(")) {
			const inner = this.sum();
			this.expect(")");
			return inner;
		}
		const number = this.match(numberPattern);
		if (number !== undefined) return { kind: "number", value: toDecimal(number) };
		const quoted = this.match(quotedPattern);
		if (quoted !== undefined) return { kind: "dimension", name: quoted.slice(1, -1) };
		const start = this.at;
		const name = this.match(namePattern);
		if (name === undefined) throw this.refuseOperand();
		if (this.take("(")) return this.call(name, start);
		this.assertUnhyphenated(name, start);
		return { kind: "dimension", name };
	}

	private call(name: string, start: number): Formula {
		if (!isFunction(name)) throw this.refuse(`there is no function '${name}'`, start);
		this.countOperation(start);
		const { least, most } = formulaFunctions[name];
		const given = [this.sum()];
		while (this.take(",")) given.push(this.sum());
		this.expect(")");
		if (given.length < least || given.length > most)
			throw this.refuse(`'${name}' takes ${most === 1 ? "one value" : `at most ${most} values`}`, start);
		return { kind: "call", name, given };
	}

	private assertUnhyphenated(name: string, start: number): void {
		hyphenatedPattern.lastIndex = start + name.length;
		const [rest] = hyphenatedPattern.exec(this.text) ?? [];
		if (rest === undefined || rest.startsWith("--")) return;
		throw this.refuse(
			`'${name}${rest}' can be read in two ways; put the dimension's name in quotes ("${name}${rest}"), or spaces around the minus`,
			start,
		);
	}

	private operator<Operator extends FormulaOperator>(...operators: Operator[]): Operator | undefined {
		const operator = operators.find((one) => this.take(one));
		if (operator) this.countOperation(this.at - operator.length);
		return operator;
	}

	private countOperation(at: number): void {
		this.operations += 1;
		if (this.operations > operationsMax) throw this.refuse(`it has more than ${operationsMax} operations`, at);
	}

	private take(character: string): boolean {
		this.skipSpace();
		if (this.text[this.at] !== character) return false;
		this.at += 1;
		return true;
	}

	private expect(character: string): void {
		if (!this.take(character)) throw this.refuse(`'${character}' is missing before ${this.found()}`);
	}

	private match(pattern: RegExp): string | undefined {
		this.skipSpace();
		pattern.lastIndex = this.at;
		const [found] = pattern.exec(this.text) ?? [];
		this.at += found?.length ?? 0;
		return found;
	}

	private skipSpace(): void {
		spacePattern.lastIndex = this.at;
		this.at += spacePattern.exec(this.text)?.[0].length ?? 0;
	}

	private found(): string {
		this.skipSpace();
		const character = this.text.codePointAt(this.at);
		return character === undefined ? "the end" : `'${String.fromCodePoint(character)}'`;
	}

	private refuseOperand() {
		if (/[\d.]/.test(this.text[this.at] ?? ""))
			return this.refuse(
				"a number is written like 12 or 0.5, with at most 30 digits on each side, and a name that begins with a digit in quotes",
			);
		return this.refuse(`a number, a name or '(' is missing before ${this.found()}`);
	}

	private refuse(why: string, at = this.at) {
		return fail("BadUserInput", `${this.where}: character ${at + 1}: ${why}; ${allowed}.`);
	}
}

const isFunction = (name: string): name is FormulaFunction => Object.hasOwn(formulaFunctions, name);
