import type { Statement } from "bun:sqlite";
import { PreparedQuery } from "drizzle-orm/bun-sqlite";
import type { BuildStatements, StatementBuilder } from "../../src/kernel/storage/kept-statements";
import type { Transaction } from "../../src/kernel/work";

/** The results of the builders of all worlds, by builder, without a connection. */
const built = new Map<unknown, unknown>();

/**
 * Builds each statement once for all worlds of this process. A world has a connection of its own, and to build a statement
 * takes longer than to compile it. A builder that returns anything but statements is called for each world.
 */
export const sharedStatements: StatementBuilder = ({ $client }): BuildStatements => {
	const compile = (sql: string): Statement => $client.prepare(sql);
	return <Built>(build: (tx: Transaction) => Built, tx: Transaction): Built => {
		const known = built.get(build);
		if (known !== undefined) {
			const { logger } = Reflect.get(tx, "session") as { readonly logger: unknown };
			return each(known, (query) => ofConnection(query, compile, logger)) as Built;
		}
		const own = build(tx);
		if (areStatements(own)) built.set(build, each(own, withoutConnection));
		return own;
	};
};

const areStatements = (of: unknown): boolean =>
	of instanceof PreparedQuery ||
	(typeof of === "object" &&
		of !== null &&
		Object.getPrototypeOf(of) === Object.prototype &&
		Object.values(of).every(areStatements));

const each = (of: unknown, change: (query: PreparedQuery) => PreparedQuery): unknown =>
	of instanceof PreparedQuery
		? change(of)
		: Object.fromEntries(Object.entries(of as object).map(([name, value]) => [name, each(value, change)]));

const copied = (query: PreparedQuery, changes: object): PreparedQuery =>
	Object.assign(Object.create(PreparedQuery.prototype), query, changes);

const withoutConnection = (query: PreparedQuery): PreparedQuery =>
	copied(query, { stmt: undefined, logger: undefined });

function ofConnection(query: PreparedQuery, compile: (sql: string) => Statement, logger: unknown): PreparedQuery {
	let statement: Statement | undefined;
	return Object.defineProperty(copied(query, { logger }), "stmt", {
		// Most worlds use few of the statements that are built together.
		get: () => {
			statement ??= compile(query.getQuery().sql);
			return statement;
		},
	});
}
