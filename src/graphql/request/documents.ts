import { type DocumentNode, type GraphQLError, type GraphQLSchema, parse, validate } from "graphql";
import { tokensMax } from "./limits";
import { lenientOf, lenientRules } from "./unknown-fields";

/** The number of cached texts. Clients repeat a few. */
const rememberedMax = 200;

/** The parsed text of operations. */
export interface Checked {
	/** Equal for equal texts, as long as they are cached. */
	readonly id: number;
	/** Without the fields that the schema does not know. */
	readonly document: DocumentNode;
	/** The names of these fields. Undefined when the schema knows all fields. */
	readonly unknownFields: readonly string[] | undefined;
	/** Validates the document once. The cost grows with the figures of `measure`, so call that before. */
	readonly errors: () => readonly GraphQLError[];
}

/** Parses and validates the texts of operations. A cache has the newest ones. */
export class Documents {
	readonly #checked = new Map<string, Checked>();
	#lastId = 0;

	constructor(readonly schema: GraphQLSchema) {}

	/** Throws a GraphQLError for a syntax error, and for too many tokens. */
	read(text: string): Checked {
		const known = this.#checked.get(text);
		if (known) return known;
		const checked = this.#check(parse(text, { maxTokens: tokensMax }));
		this.#checked.set(text, checked);
		const [oldest] = this.#checked.keys();
		if (this.#checked.size > rememberedMax && oldest !== undefined) this.#checked.delete(oldest);
		return checked;
	}

	#check(parsed: DocumentNode): Checked {
		const lenient = lenientOf(this.schema, parsed);
		const document = lenient?.document ?? parsed;
		let errors: readonly GraphQLError[] | undefined;
		this.#lastId += 1;
		return {
			...{ id: this.#lastId, document, unknownFields: lenient?.unknown },
			errors: () => {
				errors ??= validate(this.schema, document, lenient ? lenientRules : undefined);
				return errors;
			},
		};
	}
}
