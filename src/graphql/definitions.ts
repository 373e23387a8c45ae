import { pageSizeDefault, pageSizeMax } from "../kernel/page";
import { filterNameOf } from "./lists/filter";
import type { Kind, List } from "./lists/list";
import { scalarDefs } from "./scalars";

const orderedOperators = (type: string) => `eq: ${type} neq: ${type} gt: ${type} gte: ${type} lt: ${type} lte: ${type}`;
const setOperators = (type: string) => `in: [${type}!] notIn: [${type}!] is: Boolean isNot: Boolean`;
const patternOperators = "like: String notLike: String iLike: String notILike: String";

const rangeDefs = (name: string, type: string) => `
	input ${name}FieldComparisonBetween { lower: ${type}! upper: ${type}! }
	input ${name}FieldComparison {
		${orderedOperators(type)} ${setOperators(type)}
		between: ${name}FieldComparisonBetween notBetween: ${name}FieldComparisonBetween
	}
`;

/** The definitions that all lists share (docs/interface/graphql.md). */
const sharedDefs = `
	${scalarDefs}
	type Query
	type Mutation
	type Subscription
	type PageInfo { hasNextPage: Boolean! hasPreviousPage: Boolean! startCursor: ConnectionCursor endCursor: ConnectionCursor }
	"Forward with 'first' and 'after', backward with 'last' and 'before'; 1 to ${pageSizeMax} rows, ${pageSizeDefault} by default."
	input CursorPaging { first: Int after: ConnectionCursor last: Int before: ConnectionCursor }
	enum SortDirection { ASC DESC }
	enum SortNulls { NULLS_FIRST NULLS_LAST }
	"In patterns, % matches any text and _ any character. A backslash escapes both."
	input StringFieldComparison { ${orderedOperators("String")} ${setOperators("String")} ${patternOperators} }
	input BooleanFieldComparison { is: Boolean isNot: Boolean }
	${rangeDefs("Date", "DateTime")}
	${rangeDefs("Number", "Float")}
	"An amount in whole currency units: 12.5 is twelve dollars fifty."
	type Money { amount: Float! currency: Currency! }
	"As Money."
	input MoneyInput { amount: Float! currency: Currency! }
	"The caller's id of the object that a mutation changes."
	input ByRefIdInput { refId: String! }
`;

const comparisonOf = (kind: Kind): string =>
	typeof kind === "string" ? `${kind}FieldComparison` : `${kind.enum}FilterComparison`;

/** Enum comparisons have the operators of texts. Lists share them. */
const enumDefs = (name: string) => `
	input ${name}FilterComparison { ${orderedOperators(name)} ${setOperators(name)} like: String notLike: String iLike: String notILike: String }
`;

function listDefs(list: List, filterNames: ReadonlyMap<string, string>): string {
	const { type, field, everyField, fields } = list;
	const filter = filterNameOf(list);
	const filterFields = Object.entries(fields).map(
		([name, declared]) =>
			`${name}: ${"relation" in declared ? filterNames.get(declared.relation) : comparisonOf(declared.kind)}`,
	);
	const filterDef = `input ${filter} { ${filterFields.join(" ")} and: [${filter}!] or: [${filter}!] }`;
	if (field === undefined) return filterDef;
	const sorted = Object.entries(fields).flatMap(([name, declared]) =>
		"relation" in declared || declared.through ? [] : name,
	);
	return `
		${filterDef}
		enum ${type}SortFields { ${sorted.join(" ")} }
		input ${type}Sort { field: ${type}SortFields! direction: SortDirection! nulls: SortNulls }
		type ${type}Edge { node: ${type}! cursor: ConnectionCursor! }
		type ${type}Connection { edges: [${type}Edge!]! pageInfo: PageInfo! totalCount: Int! }
		extend type Query { ${[field, everyField]
			.filter((name) => name !== undefined)
			.map((name) => `${name}(filter: ${filter}, sorting: [${type}Sort!], paging: CursorPaging): ${type}Connection`)
			.join(" ")} }
	`;
}

/** The whole schema in the schema language: the definitions of the areas, and those of their lists. */
export function definitionsOf(typeDefs: readonly string[], lists: readonly List[]): string {
	const filterNames = new Map(lists.map((list) => [list.type, filterNameOf(list)]));
	const enums = new Set(
		lists.flatMap(({ fields }) =>
			Object.values(fields).flatMap((declared) =>
				"relation" in declared || typeof declared.kind === "string" ? [] : declared.kind.enum,
			),
		),
	);
	return [
		sharedDefs,
		...typeDefs,
		...[...enums].map(enumDefs),
		...lists.map((list) => listDefs(list, filterNames)),
	].join("\n");
}
