import { __Schema, type GraphQLSchema, Kind, type OperationDefinitionNode } from "graphql";
import { assert } from "../kernel/errors";
import { yieldToOthers } from "./request/event-loop";

/** The number of types that one turn of the event loop resolves, about two milliseconds of work. */
const typesATurn = 10;

/** The context of an operation that can wait: its introspection is resolved in parts, between which others are served. */
export const inParts = Symbol("in parts");

/** Whether an operation selects only introspection. Then it needs no transaction and can wait. */
export const isIntrospection = ({ selectionSet }: OperationDefinitionNode): boolean =>
	selectionSet.selections.every((selection) => selection.kind === Kind.FIELD && selection.name.value.startsWith("__"));

/** Resolves the list of all types in parts, because it takes long. All schemas share this field. */
export function listTypesInParts(): void {
	const { types } = __Schema.getFields();
	assert(types, "introspection lists the types");
	types.resolve = (schema: GraphQLSchema, _, context: unknown) => {
		const all = Object.values(schema.getTypeMap());
		if (context !== inParts) return all;
		let turn = Promise.resolve();
		return all.map((type, place) => {
			if (place % typesATurn === 0) turn = turn.then(yieldToOthers);
			return turn.then(() => type);
		});
	};
}
