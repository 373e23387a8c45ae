import { __Schema, type GraphQLSchema, Kind, type OperationDefinitionNode } from "graphql";
import { assert } from "../kernel/errors";
import { yieldToOthers } from "./request/event-loop";

/** Our choice: how many types are told in one turn of the event loop, some two milliseconds of work. */
const typesATurn = 10;

/** The context of an operation that may wait: what it tells of the schema comes in parts, between which others are served. */
export const inTurns = Symbol("in turns");

/** Whether an operation asks for the schema only: then it needs no transaction, and may wait. */
export const isIntrospection = ({ selectionSet }: OperationDefinitionNode): boolean =>
	selectionSet.selections.every((selection) => selection.kind === Kind.FIELD && selection.name.value.startsWith("__"));

/** The list of all types is what takes long. GraphQL's own field, which every schema has, told in parts. */
export function tellTypesInTurns(): void {
	const { types } = __Schema.getFields();
	assert(types, "a schema tells its types");
	types.resolve = (schema: GraphQLSchema, _, context: unknown) => {
		const all = Object.values(schema.getTypeMap());
		if (context !== inTurns) return all;
		let turn = Promise.resolve();
		return all.map((type, place) => {
			if (place % typesATurn === 0) turn = turn.then(yieldToOthers);
			return turn.then(() => type);
		});
	};
}
