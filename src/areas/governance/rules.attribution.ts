import { fail } from "../../kernel/errors";
import type { Dimensions } from "../pricing/models/formula";

/** An entity type as attribution sees it. */
export interface Attributing {
	readonly id: string;
	readonly attributionKeys: readonly string[];
}

/** An entity that dimensions name. It may not exist. */
export interface Attribution {
	readonly typeId: string;
	/** The dimension that names it. */
	readonly key: string;
	/** The caller's id. */
	readonly entityRef: string;
}

/**
 * Returns the entities that dimensions name: for each type, the value of the first of its keys that the dimensions have. The keys of a
 * type are alternatives.
 */
export const attributionsOf = (types: readonly Attributing[], dimensions: Dimensions): Attribution[] =>
	types.flatMap(({ id, attributionKeys }) => {
		const key = attributionKeys.find((one) => Object.hasOwn(dimensions, one));
		return key === undefined ? [] : { typeId: id, key, entityRef: `${dimensions[key]}` };
	});

/** Throws BadUserInput if two keys of one type name different entities. */
export function assertUnambiguous(types: readonly Attributing[], dimensions: Dimensions, where: string): void {
	for (const { attributionKeys } of types) {
		const present = attributionKeys.filter((key) => Object.hasOwn(dimensions, key));
		const [first = "", other = first] = present;
		if (`${dimensions[first]}` !== `${dimensions[other]}`)
			throw fail(
				"BadUserInput",
				`${where}: '${first}' and '${other}' identify the same kind of entity, but name '${dimensions[first]}' and '${dimensions[other]}'; send one of them.`,
			);
	}
}
