import { Type } from "@sinclair/typebox";

// The discovery documents are constant, so the document shows only their outline.

const described = Type.Object({ schemas: Type.Array(Type.String()), id: Type.String(), name: Type.String() });

export const answerSchemas = {
	config: Type.Object({ schemas: Type.Array(Type.String()), patch: Type.Object({ supported: Type.Boolean() }) }),
	list: Type.Object({
		schemas: Type.Array(Type.String()),
		totalResults: Type.Integer(),
		startIndex: Type.Integer(),
		itemsPerPage: Type.Integer(),
		Resources: Type.Array(described),
	}),
	one: described,
};
