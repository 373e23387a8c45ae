import { type Decimal, exact } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import { parseCadence } from "./rules.cadence";

interface Governed {
	readonly id: string;
	readonly refId: string;
	readonly typeId: string;
}

/** The places after the point of a limit. */
const limitPlacesMax = 6;

/** Throws BadUserInput if a limit has too many places after the point. */
export function assertLimitPlaces(limit: Decimal, where: string): void {
	const { c: digits, e: exponent } = exact(limit);
	if (digits.length - 1 - exponent > limitPlacesMax)
		throw fail("BadUserInput", `${where}: has more than ${limitPlacesMax} places after the point; round it.`);
}

/** Throws BadUserInput unless a cadence is a duration of one unit. */
export function assertCadence(cadence: string, where: string): void {
	if (!parseCadence(cadence))
		throw fail(
			"BadUserInput",
			`${where}/cadence: '${cadence}' is no ISO 8601 duration of one unit above zero; send one such as P1M, P30D or PT1H, or LIFETIME.`,
		);
}

/** Returns the stored form of a scope. The order of the entities does not matter. */
export const scopeOf = (entities: readonly Governed[]): string =>
	entities
		.map(({ id }) => id)
		.sort()
		.join();

/** Returns the row ids of a stored scope. */
export const scopeEntities = (scope: string): readonly string[] => (scope === "" ? wholeNode : scope.split(","));

const wholeNode: readonly string[] = [];

/** Throws BadUserInput if a scope names its own entity, or two entities of one type: no use is attributed to both. */
export function assertScope(entity: Governed, scoped: readonly Governed[], where: string): void {
	for (const [at, one] of scoped.entries()) {
		const place = `${where}/scopeEntityIds/${at}`;
		if (one.id === entity.id)
			throw fail("BadUserInput", `${place}: '${one.refId}' is the entity of the budget itself; leave it out.`);
		const other = scoped.slice(0, at).find(({ typeId }) => typeId === one.typeId);
		if (other)
			throw fail(
				"BadUserInput",
				`${place}: '${other.refId}' and '${one.refId}' have the same type, and no use belongs to both; make a budget for each.`,
			);
	}
}
