import { and, eq, is, isNotNull, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { assert, fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { type Budget, costs } from "../request/budget";
import type { OperationContext } from "../request/context";
import { compare, comparisonCost, isValues, valuesOf } from "./compare";
import { type ComparedField, indexOf, type List, type Reference, type RelationField } from "./list";
import { apart, countFew, countUpTo, foundRowsMax } from "./row-limits";

/** More than any screen or client sends in one filter. */
const conditionsMax = 100;
const filterDepthMax = 10;

/** The lists by their types, for relations. */
export type Lists = ReadonlyMap<string, List>;

export const filterNameOf = ({ type, filterName }: List): string => filterName ?? `${type}Filter`;

/** A filter as SQL, with its cost (budget.ts). */
export interface Filter {
	/** Undefined for an empty filter. Instants are milliseconds. */
	readonly condition: SQL | undefined;
	/** The conditions that use an index. All of them must hold. */
	readonly keys: readonly SQL[];
	/** Whether one of the keys has its own index. Then the environment's index is not used. */
	readonly hasOwnIndex: boolean;
	/** The cost for each compared row. */
	readonly rowCost: number;
	/** The cost for each statement: rows of other tables are read once for all rows. */
	readonly statementCost: number;
}

/**
 * The use of a condition: `keys` finds rows by an index. For the others the database must not use an index of the condition,
 * because it scans given rows: `some` until there are enough, or `all`.
 */
export type Purpose = "keys" | "some" | "all";

export interface Compiling {
	readonly context: OperationContext;
	readonly lists: Lists;
	readonly purpose: Purpose;
}

export const compileFilter = (compiling: Compiling, list: List, filter: unknown): Filter =>
	new Compiler(compiling).compile(list, filter);

/** The place of a condition. */
interface Spot {
	readonly list: List;
	readonly depth: number;
	/** Whether it must hold for every row. Not under `or`. */
	readonly isKey: boolean;
}

class Compiler {
	#conditions = 0;
	#keys: SQL[] = [];
	#hasOwnIndex = false;
	#rowCost = 0;
	#statementCost = 0;

	constructor(readonly compiling: Compiling) {}

	compile(list: List, filter: unknown): Filter {
		const condition = this.#filter(filter, { list, depth: 1, isKey: true });
		return {
			condition,
			keys: this.#keys,
			hasOwnIndex: this.#hasOwnIndex,
			rowCost: this.#rowCost,
			statementCost: this.#statementCost,
		};
	}

	/** Fields, `and` and `or` of one object must all hold. */
	#filter(filter: unknown, spot: Spot): SQL | undefined {
		if (!isValues(filter)) return undefined;
		if (spot.depth > filterDepthMax)
			throw fail("BadUserInput", `The filter nests deeper than ${filterDepthMax} levels; make it flatter.`);
		return and(
			...Object.entries(filter).map(([name, given]) => {
				if (name === "and") return and(...this.#alternatives(given, spot));
				if (name === "or") return this.#any(this.#alternatives(given, { ...spot, isKey: false }));
				const field = spot.list.fields[name];
				assert(field, `the schema lets ${name} through, so ${spot.list.type} has it`);
				return "relation" in field ? this.#related(field, given, spot) : this.#compared(field, given, spot);
			}),
		);
	}

	#alternatives(given: unknown, spot: Spot): SQL[] {
		if (!Array.isArray(given)) return [];
		// An empty alternative matches every row.
		return given.map((alternative) => this.#filter(alternative, { ...spot, depth: spot.depth + 1 }) ?? sql`true`);
	}

	/** An empty `or` matches every row, as an omitted one. */
	#any(alternatives: readonly SQL[]): SQL | undefined {
		return alternatives.length === 0 ? undefined : or(...alternatives);
	}

	/**
	 * Reads a few rows of the other list once, within the budget. If there are many, each row of this list searches for one of
	 * its own.
	 */
	#related({ relation, own, theirs }: RelationField, given: unknown, spot: Spot): SQL | undefined {
		if (!isValues(given)) return undefined;
		const { context, lists } = this.compiling;
		const other = lists.get(relation);
		assert(other, `the list of ${relation} is part of the schema`);
		// A filter by hidden values would reveal them.
		context.assertMay(other.scope);
		const outer = { keys: this.#keys, hasOwnIndex: this.#hasOwnIndex, rowCost: this.#rowCost };
		this.#keys = [];
		this.#hasOwnIndex = false;
		this.#rowCost = 0;
		const inner = this.#filter(given, { list: other, depth: spot.depth + 1, isKey: true });
		const [keys, rowCost] = [this.#keys, this.#rowCost];
		const isOfOwnIndex = this.#hasOwnIndex;
		const environment = isOfOwnIndex ? apart(other.within(context.work)) : other.within(context.work);
		this.#keys = outer.keys;
		this.#hasOwnIndex = outer.hasOwnIndex;
		this.#rowCost = outer.rowCost;
		const within = and(environment, isNotNull(theirs));
		const counted = {
			source: other.source,
			// A key with its own index leaves few rows of other environments, so these rows are not read.
			condition: and(isOfOwnIndex ? undefined : environment, theirs.notNull ? undefined : isNotNull(theirs), ...keys),
			list: other,
		};
		const rows =
			this.compiling.purpose !== "all" && indexOf(theirs) === "itself"
				? countFew(context, counted, keys.length > 0 ? foundRowsMax : affordable(context.budget, rowCost))
				: countUpTo(context, counted);
		if (rows === undefined) {
			this.#rowCost += costs.seek + rowCost;
			const wanted = sql`(select ${own} as value) as wanted`;
			return sql`exists (select 1 from ${wanted} cross join ${other.source} where ${theirs} = wanted.value and ${and(apart(other.within(context.work)), inner)})`;
		}
		this.#statementCost += rows * (costs.row + costs.stored + rowCost);
		const met = sql`(select ${theirs} from ${other.source} where ${and(within, inner)})`;
		return this.#among(own, met, keys.length > 0, spot);
	}

	/** Whether a column is in the result of a query. It is a key if the query was found by a key. */
	#among(own: SQLWrapper, met: SQL, isFound: boolean, { isKey }: Spot): SQL {
		this.#rowCost += costs.comparison;
		if (isKey && isFound) this.#addKey(own, sql`${own} in ${met}`);
		return sql`${this.#shown(own)} in ${met}`;
	}

	/** Adds a condition as a key if an index finds rows by it. */
	#addKey(value: SQLWrapper, condition: SQL): void {
		const index = indexOf(value);
		if (index === undefined) return;
		this.#keys.push(condition);
		if (index === "itself") this.#hasOwnIndex = true;
	}

	/** A calculated value with an implied condition that indexes can use. */
	#found(found: SQL, compared: SQL): SQL | undefined {
		if (this.compiling.purpose !== "keys") return compared;
		this.#keys.push(found);
		return and(found, compared);
	}

	/** The unary plus keeps the database from using the column's index. */
	#shown = (value: SQLWrapper): SQLWrapper => (this.compiling.purpose === "keys" ? value : sql`+${value}`);

	#compared(field: ComparedField, given: unknown, spot: Spot): SQL | undefined {
		if (!isValues(given)) return undefined;
		const { work } = this.compiling.context;
		return and(
			...Object.entries(given).map(([operator, operand]) => {
				this.#conditions += 1;
				if (this.#conditions > conditionsMax)
					throw fail(
						"BadUserInput",
						`The filter has more than ${conditionsMax} conditions; split it into several requests.`,
					);
				const value = expressionOf(work, field);
				if (field.through) return this.#through(field, field.through, operator, operand, spot);
				this.#charge(operator, operand);
				if (!is(value, SQLiteColumn)) this.#rowCost += costs.calculation;
				const compared = compare(this.#shown(value), field.kind, operator, operand);
				if (!spot.isKey || !isFinding(operator, operand)) return compared;
				const found = field.found?.(work, operator === "in" ? valuesOf(operand) : [operand]);
				if (found) return this.#found(found, compared);
				this.#addKey(value, compare(value, field.kind, operator, operand));
				return compared;
			}),
		);
	}

	#through(field: ComparedField, reference: Reference, operator: string, operand: unknown, spot: Spot): SQL {
		const { context } = this.compiling;
		const { own, theirs, environment } = reference;
		// The row itself shows whether it has a reference.
		if (operand === null) {
			this.#charge(operator, operand);
			return compare(this.#shown(own), field.kind, operator, operand);
		}
		const value = expressionOf(context.work, field);
		const condition = and(
			eq(environment, context.work.actor.environmentId),
			compare(value, field.kind, operator, operand),
		);
		const isByIndex = isFinding(operator, operand) && indexOf(value) !== undefined;
		const source = sql`${theirs.table}`;
		const all = eq(environment, context.work.actor.environmentId);
		const rows = countUpTo(context, { source, condition: isByIndex ? condition : all, list: spot.list });
		const isFound = isByIndex || rows <= foundRowsMax;
		this.#statementCost += rows * (costs.row + costs.stored + comparisonCost(operator, operand)) + costs.term;
		return this.#among(own, sql`(select ${theirs} from ${theirs.table} where ${condition})`, isFound, spot);
	}

	#charge(operator: string, operand: unknown): void {
		this.#rowCost += comparisonCost(operator, operand);
		this.#statementCost += costs.term * (Array.isArray(operand) ? 1 + operand.length / 10 : 1);
	}
}

/** The number of rows of another list that one filter may read. Two fifths of the remaining budget. */
const affordable = (budget: Budget, rowCost: number): number =>
	Math.floor((0.4 * budget.left) / (costs.step + costs.row + costs.stored + rowCost));

/** Whether an index can find the rows of a comparison. */
const isFinding = (operator: string, operand: unknown): boolean =>
	operand !== null && (operator === "eq" || operator === "in");

export const expressionOf = (work: Work, { value }: ComparedField): SQLWrapper =>
	typeof value === "function" ? value(work) : value;
