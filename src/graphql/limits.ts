import {
	type DocumentNode,
	type FieldNode,
	type FragmentDefinitionNode,
	type GraphQLNamedType,
	type GraphQLSchema,
	getNamedType,
	getNullableType,
	isCompositeType,
	isInterfaceType,
	isListType,
	isObjectType,
	Kind,
	type OperationDefinitionNode,
	type SelectionNode,
	type SelectionSetNode,
	valueFromASTUntyped,
} from "graphql";
import { fail } from "../kernel/errors";
import { pageSizeDefault } from "./connection";

/** What one operation may ask for. Our choices: several times what the known clients send (graphql.md, sections 5 and 8). */
export const queryCharactersMax = 100_000;
export const tokensMax = 4_000;
export const depthMax = 15;
export const aliasesMax = 50;
export const rootFieldsMax = 20;
/** After fragments are written out: aliased spreads of spreads would grow without bound. */
export const selectionsMax = 2_000;
/** Rows that all operations of one request may come to, estimated before anything is read. */
export const rowsMax = 20_000;
/** Operations in one request: what the known client collects (graphql.md, section 1). */
export const batchMax = 25;

/** The estimate for a list that does not page: entitlements of a plan, subscriptions of a customer. */
const rowsOfPlainList = 3;

export interface Operation {
	readonly schema: GraphQLSchema;
	readonly document: DocumentNode;
	readonly definition: OperationDefinitionNode;
	readonly variables: Readonly<Record<string, unknown>>;
}

/**
 * Walks the operation as it would be executed, fragments written out, and throws BadUserInput as soon as one limit is
 * passed. Runs before validation, whose own cost grows with what is limited here; so it takes nothing for granted:
 * unknown fields and circles of fragments are validation's to refuse. Answers the estimated number of rows.
 */
export function measure(operation: Operation): number {
	return new Measure(operation).run();
}

interface Spot {
	readonly type: GraphQLNamedType | undefined;
	readonly depth: number;
	/** How many objects this selection is answered for. 0 inside introspection, whose lists are the schema's own. */
	readonly times: number;
	/** The size of the page, inside a connection. */
	readonly page: number | undefined;
}

class Measure {
	#aliases = 0;
	#selections = 0;
	#rootFields = 0;
	#rows = 0;
	readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
	readonly #open = new Set<string>();

	constructor(readonly operation: Operation) {
		const fragments = operation.document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
		this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
	}

	run(): number {
		const { schema, definition } = this.operation;
		const type = schema.getRootType(definition.operation) ?? undefined;
		this.#walk(definition.selectionSet, { type, depth: 1, times: 1, page: undefined });
		return this.#rows;
	}

	#walk(set: SelectionSetNode, spot: Spot): void {
		for (const selection of set.selections) this.#select(selection, spot);
	}

	#select(selection: SelectionNode, spot: Spot): void {
		this.#selections += 1;
		if (this.#selections > selectionsMax)
			throw fail("BadUserInput", `The operation selects more than ${selectionsMax} fields; ask in parts.`);
		if (selection.kind === Kind.FIELD) this.#field(selection, spot);
		else if (selection.kind === Kind.INLINE_FRAGMENT) {
			const type = this.#narrowed(selection.typeCondition?.name.value, spot);
			this.#walk(selection.selectionSet, { ...spot, type });
		} else this.#spread(selection.name.value, spot);
	}

	#spread(name: string, spot: Spot): void {
		const fragment = this.#fragments.get(name);
		if (!fragment || this.#open.has(name)) return;
		this.#open.add(name);
		const type = this.#narrowed(fragment.typeCondition.name.value, spot);
		this.#walk(fragment.selectionSet, { ...spot, type });
		this.#open.delete(name);
	}

	#narrowed(name: string | undefined, { type }: Spot): GraphQLNamedType | undefined {
		const narrowed = name === undefined ? type : this.operation.schema.getType(name);
		return narrowed && isCompositeType(narrowed) ? narrowed : type;
	}

	#field(field: FieldNode, spot: Spot): void {
		if (spot.depth > depthMax) throw fail("BadUserInput", `The operation nests deeper than ${depthMax} levels.`);
		if (field.alias) this.#aliases += 1;
		if (this.#aliases > aliasesMax) throw fail("BadUserInput", `The operation has more than ${aliasesMax} aliases.`);
		if (spot.depth === 1) this.#rootFields += 1;
		if (this.#rootFields > rootFieldsMax)
			throw fail("BadUserInput", `The operation asks for more than ${rootFieldsMax} fields of the root; ask in parts.`);
		if (!field.selectionSet) return;
		const inner = this.#inside(field, spot);
		this.#rows += inner.times;
		if (this.#rows > rowsMax) throw tooManyRows();
		this.#walk(field.selectionSet, inner);
	}

	#inside(field: FieldNode, { type, depth, times, page }: Spot): Spot {
		const within = { depth: depth + 1, page: undefined };
		if (field.name.value.startsWith("__")) return { ...within, type: undefined, times: 0 };
		const definition = isObjectType(type) || isInterfaceType(type) ? type.getFields()[field.name.value] : undefined;
		if (!definition) return { ...within, type: undefined, times };
		const named = getNamedType(definition.type);
		const isList = isListType(getNullableType(definition.type));
		if (named.name.endsWith("Connection")) return { ...within, type: named, times, page: this.#pageSize(field) };
		return { ...within, type: named, times: isList ? times * (page ?? rowsOfPlainList) : times };
	}

	#pageSize(field: FieldNode): number {
		const given = field.arguments?.find(({ name }) => name.value === "paging");
		const paging: unknown = given && valueFromASTUntyped(given.value, this.operation.variables);
		if (typeof paging !== "object" || paging === null) return pageSizeDefault;
		const { first, last } = paging as Readonly<Record<string, unknown>>;
		const size = last ?? first;
		// Sizes out of range are refused when the list is read.
		return typeof size === "number" && size > 0 ? size : pageSizeDefault;
	}
}

export const tooManyRows = () =>
	fail(
		"BadUserInput",
		"The request asks for too many objects; ask for smaller pages, fewer lists inside lists, or in parts.",
	);
