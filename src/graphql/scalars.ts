import {
	GraphQLError,
	type GraphQLScalarType,
	type GraphQLSchema,
	Kind,
	type ValueNode,
	valueFromASTUntyped,
} from "graphql";
import { type Instant, parseInstant, toIso } from "../kernel/clock";

/** The scalars of the wire (docs/interface/graphql.md). */
export const scalarDefs = `
	"An ISO 8601 date-time with a time zone. Responses are in UTC."
	scalar DateTime
	scalar JSON
	"The id of a row, for 'after' or 'before'."
	scalar ConnectionCursor
	"An ISO 4217 currency in upper case, as a string or a bare name."
	scalar Currency
`;

function dateTimeOf(value: unknown): Instant {
	const at = typeof value === "string" ? parseInstant(value) : undefined;
	if (at === undefined) throw new GraphQLError("Give an ISO 8601 date-time with a zone, such as 2026-01-31T00:00:00Z.");
	return at;
}

function cursorOf(value: unknown): string {
	if (typeof value !== "string") throw new GraphQLError("Give a cursor as a string.");
	return value;
}

function currencyOf(value: unknown): string {
	if (typeof value !== "string") throw new GraphQLError('Give a currency as a string, such as "USD".');
	return value;
}

const literalOf = (node: ValueNode): unknown => (node.kind === Kind.STRING ? node.value : undefined);

/** Rows hold instants as numbers. Views hold ISO text, which stays. */
export const isoOf = (value: unknown): unknown => (typeof value === "number" ? toIso(value as Instant) : value);

/** Literals are parsed into objects without a prototype, which the database layer rejects. */
function plain(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(plain);
	if (typeof value !== "object" || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}

/** JSON needs no other function: a declared scalar accepts and returns any value. */
export function attachScalars(schema: GraphQLSchema): void {
	const dateTime = schema.getType("DateTime") as GraphQLScalarType;
	dateTime.serialize = isoOf;
	dateTime.parseValue = dateTimeOf;
	dateTime.parseLiteral = (node) => dateTimeOf(literalOf(node));
	const cursor = schema.getType("ConnectionCursor") as GraphQLScalarType;
	cursor.parseValue = cursorOf;
	const currency = schema.getType("Currency") as GraphQLScalarType;
	currency.serialize = (value) => (typeof value === "string" ? value.toUpperCase() : value);
	currency.parseValue = currencyOf;
	currency.parseLiteral = (node) => currencyOf(node.kind === Kind.ENUM ? node.value : literalOf(node));
	const json = schema.getType("JSON") as GraphQLScalarType;
	json.parseLiteral = (node, variables) => plain(valueFromASTUntyped(node, variables));
	cursor.parseLiteral = (node) => cursorOf(literalOf(node));
}
