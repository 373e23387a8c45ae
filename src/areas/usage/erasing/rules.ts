import { createHmac } from "node:crypto";
import type { MeterCondition } from "../../features/schema";
import { valueTextOf } from "../aggregation/value-sets";
import { compileFilters, type DimensionValue, type MeterDefinition, measureOf } from "../rules";

/** In the place of a value: nobody can tell what it was without the key, and the key is thrown away. */
const tokenPattern = /erased-[0-9a-f]{24}/;

const tokenOf = (key: string, dimension: string, text: string): string =>
	`erased-${createHmac("sha256", key).update(`${dimension}\n${text}`).digest("hex").slice(0, 24)}`;

/** Longer texts are known to sets by a hash, in which a token is not seen. */
const tokenCharactersMax = 64;

/** What the meters of an environment ask of one dimension. */
interface Uses {
	/** Adds up, compares or ranks its numbers. */
	readonly isMeasured: boolean;
	/** Counts its different values. */
	readonly isDistinct: boolean;
	readonly conditions: readonly MeterCondition[];
}

/**
 * What takes the place of dimensions' values when a customer is erased, so that each meter goes on counting what it has
 * counted. Equal values become equal tokens, so that sets and groups keep their sizes. A value stays where a meter needs it as
 * it is: a number that is measured; a text that no token can stand for, since a filter compares it with a value of the
 * catalogue. Numbers, true and false stay too, unless a meter counts the different ones: they are amounts, and name nobody.
 * (docs/decisions/0019)
 */
export class Replacement {
	readonly #definitions: readonly MeterDefinition[];
	readonly #key: string;
	readonly #uses = new Map<string, Uses>();

	/** Of all meters that count the environment's events, with the erasure's own key. */
	constructor(definitions: readonly MeterDefinition[], key: string) {
		this.#definitions = definitions;
		this.#key = key;
	}

	/** What is written instead of a value of an event. Of what was replaced already, the same. */
	of(dimension: string, value: DimensionValue): DimensionValue {
		const uses = this.#usesOf(dimension);
		if (typeof value !== "string" && !uses.isDistinct) return value;
		const text = valueTextOf(value);
		const forms = uses.isDistinct ? formsOf(text) : [value];
		return this.#tokenFor(dimension, uses, text, forms) ?? value;
	}

	/** The same of a member of a set of different values, which is known by its text. */
	ofMember(dimension: string, text: string): string {
		return this.#tokenFor(dimension, this.#usesOf(dimension), text, formsOf(text)) ?? text;
	}

	/** Undefined where the value stays. `forms` are the values that are one by their text: all of them go, or none. */
	#tokenFor(
		dimension: string,
		{ isMeasured, isDistinct, conditions }: Uses,
		text: string,
		forms: readonly DimensionValue[],
	): string | undefined {
		if (tokenPattern.test(text)) return undefined;
		if (isMeasured && forms.some((form) => measureOf(form) !== undefined)) return undefined;
		const plain = tokenOf(this.#key, dimension, text);
		if (isDistinct && isHashed(text))
			return conditions.every((condition) => isIndifferent(condition, text)) ? plain : undefined;
		const candidates = [plain, shapedLike(text, plain, conditions)];
		return candidates.find(
			(token) =>
				token.length <= tokenCharactersMax &&
				conditions.every((condition) => forms.every((form) => holds(condition, form) === holds(condition, token))),
		);
	}

	#usesOf(dimension: string): Uses {
		const known = this.#uses.get(dimension);
		if (known) return known;
		const counting = this.#definitions.filter(({ aggregation }) => aggregation.field === dimension);
		const uses = {
			isMeasured: counting.some(({ aggregation }) => !/^(COUNT|UNIQUE)$/.test(aggregation.function)),
			isDistinct: counting.some(({ aggregation }) => aggregation.function === "UNIQUE"),
			conditions: this.#definitions
				.flatMap(({ filters }) => filters.flatMap(({ conditions }) => conditions))
				.filter(({ field }) => field === dimension),
		};
		this.#uses.set(dimension, uses);
		return uses;
	}
}

/** Of a text that is known by its hash nothing is known but which others it equals. */
const isHashed = (text: string): boolean => text.startsWith("#");

/** The values that have a text: 5 and "5" are one. */
function formsOf(text: string): DimensionValue[] {
	if (text === "true" || text === "false") return [text, text === "true"];
	return !isHashed(text) && String(Number(text)) === text ? [text, Number(text)] : [text];
}

const holds = (condition: MeterCondition, value: DimensionValue): boolean =>
	compileFilters([{ conditions: [condition] }])({ eventName: "", dimension: () => value });

/** Whether a condition says of a long text what it says of its token. */
function isIndifferent({ operation, value = "", values = [] }: MeterCondition, text: string): boolean {
	if (operation === "IS_NULL" || operation === "IS_NOT_NULL") return true;
	const isEquality = operation === "EQUALS" || operation === "NOT_EQUALS" || operation === "IN";
	return isEquality && ![value, ...values].some((one) => valueTextOf(one) === text);
}

/** A token that begins, ends and goes on as filters ask of a text: by what stands in the catalogue, not by what was sent. */
function shapedLike(text: string, token: string, conditions: readonly MeterCondition[]): string {
	const found = (operation: MeterCondition["operation"]): string[] =>
		conditions
			.filter((condition) => condition.operation === operation && holds(condition, text))
			.map(({ value = "" }) => value);
	const longest = (texts: readonly string[]): string =>
		texts.reduce((one, other) => (other.length > one.length ? other : one), "");
	return `${longest(found("STARTS_WITH"))}${found("CONTAINS").join("")}${token}${longest(found("ENDS_WITH"))}`;
}
