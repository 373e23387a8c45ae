import type { Statement } from "bun:sqlite";
import { PreparedQuery } from "drizzle-orm/bun-sqlite";
import { Column } from "drizzle-orm/column";
import { is } from "drizzle-orm/entity";
import { noopDecoder, Param, Placeholder, SQL } from "drizzle-orm/sql/sql";
import { Subquery } from "drizzle-orm/subquery";

type Row = Record<string, unknown>;
type Values = Readonly<Record<string, unknown>>;

/** A column or an expression of a query, and where its value goes in the row. */
interface Selected {
	readonly path: readonly string[];
	readonly field: unknown;
}

/** A query as Drizzle prepares it, with the parts that its methods use. */
interface Prepared {
	readonly stmt: Pick<Statement, "run" | "values">;
	readonly query: { readonly sql: string; readonly params: readonly unknown[] };
	readonly logger: { logQuery(sql: string, params: readonly unknown[]): void };
	readonly fields: readonly Selected[] | undefined;
	readonly customResultMapper: unknown;
	/** Undefined before the first execution. */
	[planOf]?: Plan | "at the next execution" | undefined;
	run(values?: Values): unknown;
	all(values?: Values): unknown;
	get(values?: Values): unknown;
}

const planOf = Symbol("plan");

/**
 * Makes queries bind their parameters and read their rows by a plan that is made once. Drizzle makes it at each execution: for each parameter
 * and each column it determines the class, which takes longer than most statements. The results are the same (decision 0099).
 */
export function compileQueries(): void {
	const queries = PreparedQuery.prototype as unknown as Prepared;
	if (planOf in queries) return;
	const { run, all, get } = queries;
	Object.defineProperty(queries, planOf, { value: undefined, writable: true });
	queries.run = function (this: Prepared, values) {
		const plan = planned(this);
		return plan ? this.stmt.run(...bound(this, plan, values)) : run.call(this, values);
	};
	queries.all = function (this: Prepared, values) {
		const plan = planned(this);
		return plan?.read ? this.stmt.values(...bound(this, plan, values)).map(plan.read) : all.call(this, values);
	};
	queries.get = function (this: Prepared, values) {
		const plan = planned(this);
		if (!plan?.read) return get.call(this, values);
		const [row] = this.stmt.values(...bound(this, plan, values));
		return row && plan.read(row);
	};
}

/** The first execution is Drizzle's own, because most queries that are not prepared run once. */
function planned(prepared: Prepared): Plan | undefined {
	const known = prepared[planOf];
	if (typeof known === "object") return known;
	if (known === undefined) {
		prepared[planOf] = "at the next execution";
		return undefined;
	}
	const { query, fields, customResultMapper } = prepared;
	const plan = { bind: binderOf(query.params), read: fields && !customResultMapper ? readerOf(fields) : undefined };
	prepared[planOf] = plan;
	return plan;
}

function bound({ query, logger }: Prepared, { bind }: Plan, values: Values = {}): never[] {
	const params = bind(values);
	logger.logQuery(query.sql, params);
	// SQLite's driver checks the values.
	return params as never[];
}

interface Plan {
	readonly bind: (values: Values) => unknown[];
	/** Undefined for rows with objects in them, whose joins can be empty: Drizzle reads them. */
	readonly read: ((row: readonly unknown[]) => Row) | undefined;
}

type Convert = (value: unknown) => unknown;

function binderOf(params: readonly unknown[]): Plan["bind"] {
	const parts = params.map((param) => {
		if (is(param, Placeholder)) return { name: param.name, convert: undefined, constant: undefined };
		if (!is(param, Param) || !is(param.value, Placeholder))
			return { name: undefined, convert: undefined, constant: param };
		const { encoder } = param;
		// Most columns store their values as they are.
		const isSame = is(encoder, Column) && encoder.mapToDriverValue === Column.prototype.mapToDriverValue;
		const convert: Convert | undefined = isSame ? undefined : (value) => encoder.mapToDriverValue(value);
		return { name: param.value.name, convert, constant: undefined };
	});
	return (values) => {
		const bound: unknown[] = [];
		for (const { name, convert, constant } of parts) {
			if (name === undefined) bound.push(constant);
			else {
				const value = values[name];
				if (value === undefined && !(name in values))
					throw new Error(`No value for placeholder "${name}" was provided`);
				bound.push(convert ? convert(value) : value);
			}
		}
		return bound;
	};
}

function readerOf(fields: readonly Selected[]): Plan["read"] {
	const parts: Array<{ readonly name: string; readonly convert: Convert | undefined }> = [];
	for (const { path, field } of fields) {
		const [name] = path;
		if (name === undefined || path.length > 1) return undefined;
		parts.push({ name, convert: decoderOf(field) });
	}
	return (row) => {
		const read: Row = {};
		for (let at = 0; at < parts.length; at += 1) {
			const { name, convert } = parts[at] as (typeof parts)[number];
			const value = row[at];
			read[name] = convert && value !== null ? convert(value) : value;
		}
		return read;
	};
}

/** Returns the conversion of stored values; undefined where the value is as it is stored. */
function decoderOf(field: unknown): Convert | undefined {
	if (is(field, Column))
		return field.mapFromDriverValue === Column.prototype.mapFromDriverValue
			? undefined
			: (value) => field.mapFromDriverValue(value);
	const { decoder } = expressionOf(field) as unknown as { readonly decoder: { mapFromDriverValue: Convert } };
	return decoder === (noopDecoder as unknown) ? undefined : (value) => decoder.mapFromDriverValue(value);
}

function expressionOf(field: unknown): SQL {
	if (is(field, SQL)) return field;
	if (is(field, Subquery)) return field._.sql as SQL;
	return (field as SQL.Aliased).sql;
}
