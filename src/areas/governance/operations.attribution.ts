import type { Work } from "../../kernel/work";
import type { Dimensions } from "../pricing/models/formula";
import { assertUnambiguous, attributionsOf } from "./rules.attribution";
import { selectAttributing, selectEntity } from "./store";
import { namedEntities } from "./templates/operations";

/** An entity to which usage is attributed. */
export interface AttributedEntity {
	/** Row ids. */
	readonly id: string;
	readonly typeId: string;
}

const none: readonly AttributedEntity[] = [];

/** Whether there are dimensions that could attribute a use. */
export function hasAny(dimensions: Dimensions | null | undefined): dimensions is Dimensions {
	for (const _ in dimensions) return true;
	return false;
}

/**
 * Returns the entities of a customer (its row id) to which dimensions attribute usage; none while governance is off. Entities that do not
 * exist are no error: their usage has no budget.
 */
export function attributedEntities(
	work: Work,
	customerId: string,
	dimensions: Dimensions | null | undefined,
): readonly AttributedEntity[] {
	if (!hasAny(dimensions)) return none;
	const types = selectAttributing(work);
	if (types.length === 0) return none;
	return attributionsOf(types, dimensions).flatMap(({ typeId, entityRef }) => {
		const entity = selectEntity(work, customerId, entityRef);
		return entity?.typeId === typeId ? { id: entity.id, typeId } : [];
	});
}

/**
 * Returns the dimensions that attribute usage to entities, those that the usage will create included; null for none. Reads the dimensions only
 * if there are entity types.
 */
export function attributingDimensions(
	work: Work,
	customerId: string,
	dimensionsOf: () => Dimensions,
): Dimensions | null {
	const types = selectAttributing(work);
	if (types.length === 0) return null;
	const dimensions = dimensionsOf();
	const created = namedEntities(work, { customerId, dimensions });
	const named = attributionsOf(types, dimensions).filter(
		({ typeId, entityRef }) =>
			selectEntity(work, customerId, entityRef)?.typeId === typeId || created.some((one) => one.typeId === typeId),
	);
	return named.length === 0 ? null : Object.fromEntries(named.map(({ key }) => [key, dimensions[key] ?? ""]));
}

/** Throws BadUserInput if the dimensions of a request name two entities of one type. */
export function assertAttributable(work: Work, dimensions: Dimensions | null | undefined, where: string): void {
	if (dimensions) assertUnambiguous(selectAttributing(work), dimensions, `${where}/dimensions`);
}
