import {
	type DocumentNode,
	type FieldNode,
	type FragmentDefinitionNode,
	type GraphQLNamedType,
	type GraphQLSchema,
	getNamedType,
	getNullableType,
	isCompositeType,
	isEnumType,
	isInputObjectType,
	isInterfaceType,
	isListType,
	isObjectType,
	Kind,
	type OperationDefinitionNode,
	type SelectionNode,
	type SelectionSetNode,
	valueFromASTUntyped,
} from "graphql";
import { fail } from "../../kernel/errors";
import { pageSizeDefault } from "../../kernel/page";

/**
 * The limits of one operation. Our choices (docs/interface/graphql.md#limits): several times the values of known
 * clients.
 */
export const queryCharactersMax = 100_000;
export const tokensMax = 4_000;
export const depthMax = 15;
export const aliasesMax = 50;
export const rootFieldsMax = 20;
/** With expanded fragments: nested spreads would grow without bound. */
export const selectionsMax = 2_000;
/** For all operations of a request. */
export const selectionsOfRequestMax = 2 * selectionsMax;
/** Repeated fields of one object are compared pairwise when they are merged. */
export const repetitionsMax = 5_000;
/** The estimated rows of all operations of a request, before anything is read. */
export const rowsMax = 20_000;
/** The estimated values of introspection in one request: somewhat more than tools select once. */
export const introspectedMax = 200_000;
/** Values in the body of a request, with objects and lists. An import of a thousand items has about half. */
export const valuesMax = 20_000;
/** Operations in one request: the batch size of the known client (docs/interface/graphql.md). */
export const batchMax = 25;

/** The estimated length of a list without pages, such as the entitlements of a plan. */
const rowsOfPlainList = 3;

export interface Operation {
	readonly schema: GraphQLSchema;
	readonly document: DocumentNode;
	readonly definition: OperationDefinitionNode;
	readonly variables: Readonly<Record<string, unknown>>;
	/** False refuses introspection. */
	readonly introspection?: boolean;
}

/** The totals of all operations of a request. */
export interface Totals {
	selections: number;
	rows: number;
	introspected: number;
}

export const noTotals = (): Totals => ({ selections: 0, rows: 0, introspected: 0 });

/**
 * Walks the operation as it would be executed, with expanded fragments, and adds it to the totals of its request. Throws
 * BadUserInput when a limit is exceeded. Runs before validation, whose cost grows with the same figures, so it accepts invalid
 * documents: validation refuses unknown fields and circular fragments.
 */
export const measure = (operation: Operation, totals: Totals): void => new Measure(operation, totals).run();

interface Spot {
	readonly type: GraphQLNamedType | undefined;
	readonly depth: number;
	/** The number of objects of this selection. */
	readonly times: number;
	/** The size of the page, inside a connection. */
	readonly page: number | undefined;
	/** The lengths of lists, in introspection. */
	readonly lengths: ReadonlyMap<string, number> | undefined;
	/** The fields of the same object so far, by their response keys. */
	readonly fields: Map<string, Written>;
}

/** A field of the response: its number of selections, and its own fields. */
interface Written {
	times: number;
	readonly fields: Map<string, Written>;
}

class Measure {
	#aliases = 0;
	#selections = 0;
	#rootFields = 0;
	#repetitions = 0;
	readonly #fragments: ReadonlyMap<string, FragmentDefinitionNode>;
	readonly #open = new Set<string>();

	constructor(
		readonly operation: Operation,
		readonly totals: Totals,
	) {
		const fragments = operation.document.definitions.filter((node) => node.kind === Kind.FRAGMENT_DEFINITION);
		this.#fragments = new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
	}

	run(): void {
		const { schema, definition } = this.operation;
		const type = schema.getRootType(definition.operation) ?? undefined;
		this.#walk(definition.selectionSet, {
			type,
			depth: 1,
			times: 1,
			page: undefined,
			lengths: undefined,
			fields: new Map(),
		});
	}

	#walk(set: SelectionSetNode, spot: Spot): void {
		for (const selection of set.selections) this.#select(selection, spot);
	}

	#select(selection: SelectionNode, spot: Spot): void {
		this.#selections += 1;
		this.totals.selections += 1;
		if (this.#selections > selectionsMax)
			throw fail(
				"BadUserInput",
				`The operation selects more than ${selectionsMax} fields; split it into several operations.`,
			);
		if (this.totals.selections > selectionsOfRequestMax)
			throw fail(
				"BadUserInput",
				`The operations of the request select more than ${selectionsOfRequestMax} fields; send them in several requests.`,
			);
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
			throw fail(
				"BadUserInput",
				`The operation selects more than ${rootFieldsMax} fields of the root; split it into several operations.`,
			);
		if (this.operation.introspection === false && field.name.value.match(/^__(schema|type)$/))
			throw fail("BadUserInput", "The schema of this server is not public; see its documentation.");
		const fields = this.#written(field, spot);
		if (spot.lengths) this.#introspect(spot.times);
		if (!field.selectionSet) return;
		const inner = this.#inside(field, spot, fields);
		if (!inner.lengths) this.totals.rows += inner.times;
		if (this.totals.rows > rowsMax) throw tooManyRows();
		this.#walk(field.selectionSet, inner);
	}

	#written({ alias, name }: FieldNode, { fields }: Spot): Map<string, Written> {
		const key = (alias ?? name).value;
		const written = fields.get(key) ?? { times: 0, fields: new Map() };
		this.#repetitions += written.times;
		if (this.#repetitions > repetitionsMax)
			throw fail("BadUserInput", `The operation repeats '${key.slice(0, 64)}' too often in one place; select it once.`);
		written.times += 1;
		fields.set(key, written);
		return written.fields;
	}

	#introspect(times: number): void {
		this.totals.introspected += times;
		if (this.totals.introspected > introspectedMax)
			throw fail(
				"BadUserInput",
				"The request selects more of the schema than the whole schema; select it once, and less of it.",
			);
	}

	#inside(field: FieldNode, { type, depth, times, page, lengths }: Spot, fields: Map<string, Written>): Spot {
		const within = { depth: depth + 1, page: undefined, lengths, fields };
		const name = field.name.value;
		if (lengths) return { ...within, type: undefined, times: times * (lengths.get(name) ?? 1) };
		if (name.startsWith("__"))
			return { ...within, type: undefined, times: 1, lengths: lengthsOf(this.operation.schema) };
		const definition = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined;
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
		// The list refuses sizes out of range when it is read.
		return typeof size === "number" && size > 0 ? size : pageSizeDefault;
	}
}

const knownLengths = new WeakMap<GraphQLSchema, ReadonlyMap<string, number>>();

/** The average lengths of non-empty lists in introspection. */
function lengthsOf(schema: GraphQLSchema): ReadonlyMap<string, number> {
	const known = knownLengths.get(schema);
	if (known) return known;
	const types = Object.values(schema.getTypeMap());
	const average = (sizes: readonly number[]): number =>
		sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, sizes.length);
	const objects = types.filter(isObjectType).map((type) => Object.values(type.getFields()));
	const lengths = new Map([
		["types", types.length],
		["fields", average(objects.map(({ length }) => length))],
		["args", average(objects.flat().map(({ args }) => args.length))],
		["inputFields", average(types.filter(isInputObjectType).map((type) => Object.keys(type.getFields()).length))],
		["enumValues", average(types.filter(isEnumType).map((type) => type.getValues().length))],
		["directives", schema.getDirectives().length],
		// Most types are neither lists nor non-null.
		["ofType", 0.5],
	]);
	knownLengths.set(schema, lengths);
	return lengths;
}

export const tooManyRows = () =>
	fail(
		"BadUserInput",
		"The request selects too many objects; request smaller pages, fewer nested lists, or send several requests.",
	);
