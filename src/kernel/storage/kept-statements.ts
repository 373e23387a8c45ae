import type { Transaction } from "../work";

/** Caches the statements of one connection: each is built once. */
export function keepStatements() {
	const statements = new Map<unknown, unknown>();
	return {
		prepared: <Statement>(build: (tx: Transaction) => Statement, tx: Transaction): Statement => {
			if (!statements.has(build)) statements.set(build, build(tx));
			return statements.get(build) as Statement;
		},
		built: <Statement>(build: (tx: Transaction) => Statement): Statement | undefined =>
			statements.get(build) as Statement | undefined,
	};
}
