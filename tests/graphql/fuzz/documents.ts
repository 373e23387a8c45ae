import {
	type GraphQLArgument,
	type GraphQLInputType,
	type GraphQLObjectType,
	type GraphQLOutputType,
	type GraphQLSchema,
	getNamedType,
	isEnumType,
	isInputObjectType,
	isLeafType,
	isListType,
	isNonNullType,
	isObjectType,
	isUnionType,
} from "graphql";

/** From 0 up to, not including, 1; the same numbers for the same seed. */
export type Random = () => number;

export function randomOf(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

const refs = [
	"acme",
	"pro",
	"basic",
	"extra",
	"calls",
	"seats",
	"sub",
	"TEN",
	"gold",
	"app",
	"none",
	"",
	"x".repeat(300),
];
const texts = ["USD", "eur", "2026-01-31T00:00:00Z", "2026-02-31", "%a_", "\\", "null", "🙂", "1; drop table plans"];

/** Documents that are valid by the schema, and ask for anything at all. */
export class Documents {
	readonly #schema: GraphQLSchema;
	readonly #random: Random;

	constructor(schema: GraphQLSchema, random: Random) {
		this.#schema = schema;
		this.#random = random;
	}

	next(): string {
		const isMutation = this.#random() < 0.4;
		const root = isMutation ? this.#schema.getMutationType() : this.#schema.getQueryType();
		if (!root) throw new Error("a schema has roots");
		const fields = Object.values(root.getFields());
		const asked = this.#times(1, 3, (at) => {
			const field = this.#one(fields);
			return `f${at}: ${field.name}${this.#arguments(field.args)}${this.#selection(field.type, 1)}`;
		});
		return `${isMutation ? "mutation" : "query"} { ${asked.join(" ")} }`;
	}

	#selection(type: GraphQLOutputType, depth: number): string {
		const named = getNamedType(type);
		if (isLeafType(named)) return "";
		if (isUnionType(named))
			return ` { __typename ${named
				.getTypes()
				.map((one) => `... on ${one.name}${this.#object(one, depth)}`)
				.join(" ")} }`;
		return isObjectType(named) ? this.#object(named, depth) : "";
	}

	#object(type: GraphQLObjectType, depth: number): string {
		const fields = Object.values(type.getFields()).filter((field) => depth < 6 || isLeafType(getNamedType(field.type)));
		const chosen = fields.filter(() => this.#random() < 4 / (3 + fields.length * depth * 0.4));
		// Members of a union may have one name for two types.
		const shown = chosen.map(
			({ name, args, type: of }) =>
				`${type.name}_${name}: ${name}${this.#arguments(args)}${this.#selection(of, depth + 1)}`,
		);
		return ` { __typename ${shown.slice(0, 12).join(" ")} }`;
	}

	#arguments(args: readonly GraphQLArgument[]): string {
		const given = args.filter(({ type }) => isNonNullType(type) || this.#random() < 0.5);
		if (given.length === 0) return "";
		return `(${given.map(({ name, type }) => `${name}: ${this.#value(type, 1)}`).join(", ")})`;
	}

	#value(type: GraphQLInputType, depth: number): string {
		if (isNonNullType(type)) return this.#value(type.ofType, depth);
		if (isListType(type)) return `[${this.#times(0, 3, () => this.#value(type.ofType, depth + 1)).join(", ")}]`;
		if (isEnumType(type)) return this.#one(type.getValues()).name;
		if (isInputObjectType(type)) {
			const fields = Object.values(type.getFields()).filter(
				(field) => isNonNullType(field.type) || (depth < 5 && this.#random() < 0.25),
			);
			return `{ ${fields.map((field) => `${field.name}: ${this.#value(field.type, depth + 1)}`).join(", ")} }`;
		}
		return this.#scalar(type.name);
	}

	#scalar(name: string): string {
		switch (name) {
			case "Int":
				return String(this.#one([0, 1, -1, 7, 100, 101, 2_147_483_647]));
			case "Float":
				return String(this.#one([0, 1, -1, 0.1, 1e-9, 1e12, 1e300]));
			case "Boolean":
				return String(this.#random() < 0.5);
			case "DateTime":
				return this.#one(['"2026-01-31T00:00:00Z"', '"1969-01-01T00:00:00Z"', '"9999-12-31T23:59:59Z"']);
			case "JSON":
				return this.#one(['{ a: [1, { b: "x" }] }', "[]", '"text"', "5", "null", '[{ id: "seats", quantity: 2 }]']);
			case "Currency":
				return this.#one(['"USD"', "EUR", '"none"']);
			default:
				return JSON.stringify(this.#random() < 0.8 ? this.#one(refs) : this.#one(texts));
		}
	}

	#times<T>(least: number, most: number, make: (at: number) => T): T[] {
		return Array.from({ length: least + Math.floor(this.#random() * (most - least + 1)) }, (_, at) => make(at));
	}

	#one<T>(of: readonly T[]): T {
		return of[Math.floor(this.#random() * of.length)] as T;
	}
}

const repeat = (times: number, text: (at: number) => string): string =>
	Array.from({ length: times }, (_, at) => text(at)).join(" ");

/** The documents of a hostile caller: each family at a given size. */
export const hostile: Readonly<Record<string, (size: number) => string>> = {
	"circles of fragments": (size) =>
		`{ plans { edges { node { ...F0 } } } } ${repeat(size, (at) => `fragment F${at} on Plan { basePlan { ...F${(at + 1) % size} } }`)}`,
	"fragments that double": (size) =>
		`{ plans { edges { node { ...F0 } } } } ${repeat(size, (at) => `fragment F${at} on Plan { ...F${at + 1} ...F${at + 1} }`)} fragment F${size} on Plan { refId }`,
	"a flood of aliases": (size) => `{ ${repeat(size, (at) => `a${at}: products { totalCount }`)} }`,
	"a flood of one field": (size) => `{ products { ${repeat(size, () => "totalCount")} } }`,
	"a flood of directives": (size) => `{ products ${repeat(size, () => "@include(if: true)")} { totalCount } }`,
	"a flood of unknown directives": (size) => `{ products ${repeat(size, (at) => `@d${at}`)} { totalCount } }`,
	"deep lists": (size) => `{ products(filter: ${"[".repeat(size)}${"]".repeat(size)}) { totalCount } }`,
	"deep objects": (size) => `{ products(filter: ${"{ and: ".repeat(size)} {} ${"}".repeat(size)}) { totalCount } }`,
	"deep selections": (size) =>
		`{ plans { edges { node { ${"basePlan { ".repeat(size)} refId ${"}".repeat(size)} } } } }`,
	"deep inline fragments": (size) => `{ products { ${"... { ".repeat(size)} totalCount ${"} ".repeat(size)} } }`,
	"deep types of variables": (size) =>
		`query ($x: ${"[".repeat(size)}Int${"]".repeat(size)}) { products { totalCount } }`,
	"a flood of variables": (size) => `query (${repeat(size, (at) => `$v${at}: Int`)}) { products { totalCount } }`,
	"a flood of operations": (size) => repeat(size, (at) => `query Q${at} { products { totalCount } }`),
	"a flood of fragments": (size) =>
		`{ products { totalCount } } ${repeat(size, (at) => `fragment F${at} on Product { refId }`)}`,
	"a flood of mutations": (size) =>
		`mutation { ${repeat(size, (at) => `a${at}: createOneProduct(input: { refId: "p", displayName: "P" }) { refId }`)} }`,
	"a flood of values": (size) => `{ products(filter: { refId: { in: [${'"x" '.repeat(size)}] } }) { totalCount } }`,
	"a long text": (size) => `{ products(filter: { refId: { like: "${"%a".repeat(size)}" } }) { totalCount } }`,
	"a block of quotes": (size) => `{ products(filter: { refId: { eq: """${"\n ".repeat(size)}""" } }) { totalCount } }`,
};
