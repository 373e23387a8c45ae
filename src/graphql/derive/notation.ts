import { assert } from "../../kernel/errors";

/**
 * The fields of a derived type:
 *
 *     "A comment." name              as the property of the schema says
 *     name! name?                    the same, never null, or null at times
 *     name as Named                  the same, but of the type Named, which its schema does not name
 *     name as Named { … }            the same; Named is derived from the property's own schema, with these fields
 *     name: [Type!]!                 this type, whatever the schema says
 *     name: Type = null              in inputs: with a default
 *     *                              all properties that are not named, in the schema's order
 */
export interface FieldNotation {
	readonly name: string;
	readonly comment: string | undefined;
	/** In the schema language; the schema does not matter. */
	readonly type: string | undefined;
	/** The name of the type; lists and nulls are as the schema has them. */
	readonly named: string | undefined;
	readonly isRequired: boolean | undefined;
	readonly nested: NestedType | undefined;
	readonly initial: string | undefined;
}

interface NestedType {
	readonly comment: string | undefined;
	readonly fields: readonly FieldNotation[];
}

const tokens = /\s*("""[\s\S]*?"""|"[^"]*"|\[?\[?\w+!?\]?!?\]?!?|[:*{}=?])/y;

export function readNotation(text: string): readonly FieldNotation[] {
	const reader = new Reader(text);
	const fields = reader.fields();
	assert(reader.isAtEnd, `the notation of a type is read to its end: ${text}`);
	return fields;
}

class Reader {
	readonly #tokens: readonly string[];
	#at = 0;

	constructor(text: string) {
		const found: string[] = [];
		tokens.lastIndex = 0;
		for (let match = tokens.exec(text); match; match = tokens.exec(text)) found.push(match[1] ?? "");
		this.#tokens = found;
	}

	get isAtEnd(): boolean {
		return this.#at === this.#tokens.length;
	}

	fields(): FieldNotation[] {
		const fields: FieldNotation[] = [];
		while (!this.isAtEnd && this.#tokens[this.#at] !== "}") fields.push(this.#field());
		return fields;
	}

	#field(): FieldNotation {
		const comment = this.#comment();
		const word = this.#next();
		const [isOptional, type] = [this.#takes("?"), this.#takes(":") ? this.#next() : undefined];
		const named = this.#takes("as") ? this.#next() : undefined;
		const nested = this.#nested();
		const initial = this.#takes("=") ? this.#next() : undefined;
		const isNeverNull = word.endsWith("!") || named?.endsWith("!");
		return {
			name: word.replace("!", ""),
			comment,
			type,
			named: named?.replace("!", ""),
			isRequired: isNeverNull ? true : isOptional || this.#takes("?") ? false : undefined,
			nested,
			initial,
		};
	}

	#nested(): NestedType | undefined {
		const isNested = ["{", '"'].includes(this.#tokens[this.#at]?.[0] ?? "") && this.#opensHere();
		if (!isNested) return undefined;
		const comment = this.#comment();
		this.#next();
		const fields = this.fields();
		assert(this.#takes("}"), "a nested type ends with a brace");
		return { comment, fields };
	}

	/** A comment stands before a nested type's brace, or before the next field. */
	#opensHere(): boolean {
		return this.#tokens[this.#at] === "{" || this.#tokens[this.#at + 1] === "{";
	}

	#comment(): string | undefined {
		return this.#tokens[this.#at]?.startsWith('"') ? this.#next() : undefined;
	}

	#takes(token: string): boolean {
		if (this.#tokens[this.#at] !== token) return false;
		this.#at += 1;
		return true;
	}

	#next(): string {
		const token = this.#tokens[this.#at];
		assert(token !== undefined, "the notation of a type is complete");
		this.#at += 1;
		return token;
	}
}
