import { Type } from "@sinclair/typebox";
import { operation } from "../openapi/operation";

export const GraphQLQuery = Type.Object({
	query: Type.String(),
	operationName: Type.Optional(Type.String()),
	variables: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

export const GraphQLResult = Type.Object({
	data: Type.Optional(Type.Union([Type.Record(Type.String(), Type.Unknown()), Type.Null()])),
	errors: Type.Optional(Type.Array(Type.Object({ message: Type.String() }, { additionalProperties: true }))),
});

export const graphqlOperation = operation({
	operationId: "graphql.execute",
	summary: "Query or change by GraphQL",
	description:
		"Executes one operation, or a list of operations. An invalid operation returns `errors` with status 200. Introspection lists the schema.",
	example: { query: "{ customers(paging: { first: 3 }) { totalCount edges { node { refId name } } } }" },
	callers: "server",
	body: Type.Union([GraphQLQuery, Type.Array(GraphQLQuery)]),
	response: Type.Union([GraphQLResult, Type.Array(GraphQLResult)]),
	uncoded: {
		403: "This kind of key may not call GraphQL.",
		415: "Another content type than `application/json`.",
	},
});
