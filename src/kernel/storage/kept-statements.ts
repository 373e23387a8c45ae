import type { Database, Transaction } from "../work";

/** Builds a statement of a connection, or several. */
export type BuildStatements = <Statement>(build: (tx: Transaction) => Statement, tx: Transaction) => Statement;

/** Returns how the statements of a connection are built. */
export type StatementBuilder = (db: Database) => BuildStatements;

const builtForItself: BuildStatements = (build, tx) => build(tx);

/** Caches the statements of one connection: each is built once. */
export function keepStatements(buildStatements = builtForItself) {
	const statements = new Map<unknown, unknown>();
	return {
		prepared: <Statement>(build: (tx: Transaction) => Statement, tx: Transaction): Statement => {
			if (!statements.has(build)) statements.set(build, buildStatements(build, tx));
			return statements.get(build) as Statement;
		},
		built: <Statement>(build: (tx: Transaction) => Statement): Statement | undefined =>
			statements.get(build) as Statement | undefined,
	};
}
