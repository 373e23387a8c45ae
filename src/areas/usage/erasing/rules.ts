import { createHmac } from "node:crypto";
import type { MeterCondition } from "../../features/schema";
import { anyValue } from "../../pricing/models/segment";
import { valueTextOf } from "../aggregation/value-sets";
import { compileFilters, computedFrom, type DimensionValue, type MeterDefinition, measureOf } from "../rules";

/** The replacement of a value. Nobody can derive the value without the key, and the key is deleted. */
const tokenPattern = /erased-[0-9a-f]{24}/;

const tokenOf = (key: string, dimension: string, text: string): string =>
	`erased-${createHmac("sha256", key).update(`${dimension}\n${text}`).digest("hex").slice(0, 24)}`;

/** Sets store longer texts as a hash, which hides a token. */
const tokenCharactersMax = 64;

/** The uses of one dimension by the meters of an environment. */
interface Uses {
	/** A meter adds up, compares or ranks its numbers. */
	readonly isMeasured: boolean;
	/** A meter counts its distinct values, or divides usage by them. */
	readonly isDistinct: boolean;
	readonly conditions: readonly MeterCondition[];
}

/**
 * Replaces values of dimensions when a customer is erased, so that each meter keeps its totals. Equal values become
 * equal tokens, so sets and groups keep their sizes. A value stays if a meter needs it unchanged: a number that is
 * measured, or a text whose comparison in a filter no token passes. Numbers, true and false stay too, unless a meter
 * counts distinct ones: they are amounts and name nobody. (docs/decisions/0019)
 */
export class Replacement {
	readonly #definitions: readonly MeterDefinition[];
	readonly #key: string;
	readonly #uses = new Map<string, Uses>();

	/** `definitions` are all meters of the environment; `key` belongs to this erasure. */
	constructor(definitions: readonly MeterDefinition[], key: string) {
		this.#definitions = definitions;
		this.#key = key;
	}

	/** Returns the replacement of a value; a replacement stays as it is. */
	of(dimension: string, value: DimensionValue): DimensionValue {
		const uses = this.#usesOf(dimension);
		if (typeof value !== "string" && !uses.isDistinct) return value;
		const text = valueTextOf(value);
		const forms = uses.isDistinct ? formsOf(text) : [value];
		return this.#tokenFor(dimension, uses, text, forms) ?? value;
	}

	/** Returns the replacement of a member of a set of distinct values, given by its text. */
	ofMember(dimension: string, text: string): string {
		return this.#tokenFor(dimension, this.#usesOf(dimension), text, formsOf(text)) ?? text;
	}

	/**
	 * Returns undefined if the value stays. `forms` are the values with the same text: all of them are replaced, or
	 * none.
	 */
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
			isMeasured:
				counting.some(
					({ aggregation, transactionPrice }) =>
						transactionPrice !== undefined || !/^(COUNT|UNIQUE)$/.test(aggregation.function),
				) || this.#definitions.some((definition) => computedFrom(definition).includes(dimension)),
			isDistinct:
				counting.some(({ aggregation }) => aggregation.function === "UNIQUE") ||
				this.#definitions.some(({ segments }) => segments?.groupBy.includes(dimension)),
			conditions: this.#definitions
				.flatMap((definition) => conditionsOf(definition))
				.filter(({ field }) => field === dimension),
		};
		this.#uses.set(dimension, uses);
		return uses;
	}
}

/** Returns the comparisons of a meter, in its filters and in the variants of its price. */
const conditionsOf = ({ filters, segments }: MeterDefinition): MeterCondition[] => [
	...filters.flatMap(({ conditions }) => conditions),
	...(segments?.variants ?? []).flatMap(({ match }) =>
		Object.entries(match)
			.filter(([, texts]) => !texts.includes(anyValue))
			.map(([field, texts]): MeterCondition => ({ field, operation: "IN", values: [...texts] })),
	),
];

/** A hashed text can only be compared for equality. */
const isHashed = (text: string): boolean => text.startsWith("#");

/** Returns the values with a text: 5 and "5" are one. */
function formsOf(text: string): DimensionValue[] {
	if (text === "true" || text === "false") return [text, text === "true"];
	return !isHashed(text) && String(Number(text)) === text ? [text, Number(text)] : [text];
}

const holds = (condition: MeterCondition, value: DimensionValue): boolean =>
	compileFilters([{ conditions: [condition] }])({ eventName: "", dimension: () => value });

/** Whether a condition has the same result for a long text as for its token. */
function isIndifferent({ operation, value = "", values = [] }: MeterCondition, text: string): boolean {
	if (operation === "IS_NULL" || operation === "IS_NOT_NULL") return true;
	const isEquality = operation === "EQUALS" || operation === "NOT_EQUALS" || operation === "IN";
	return isEquality && ![value, ...values].some((one) => valueTextOf(one) === text);
}

/**
 * Returns a token that begins, ends and continues as the filters require: with texts from the catalog, not from the
 * event.
 */
function shapedLike(text: string, token: string, conditions: readonly MeterCondition[]): string {
	const found = (operation: MeterCondition["operation"]): string[] =>
		conditions
			.filter((condition) => condition.operation === operation && holds(condition, text))
			.map(({ value = "" }) => value);
	const longest = (texts: readonly string[]): string =>
		texts.reduce((one, other) => (other.length > one.length ? other : one), "");
	return `${longest(found("STARTS_WITH"))}${found("CONTAINS").join("")}${token}${longest(found("ENDS_WITH"))}`;
}
