import { Database } from "bun:sqlite";

/**
 * Notes the SQL of every statement that is prepared in this process, on any connection, until `stop` is called. Begun before
 * the app is made, since some statements are prepared once and kept.
 */
export function recordStatements(): { readonly seen: ReadonlySet<string>; stop(): void } {
	const seen = new Set<string>();
	const { prepare, query, run } = Database.prototype;
	const recording = <Method extends (sql: string, ...rest: never[]) => unknown>(method: Method): Method =>
		function (this: Database, sql: string, ...rest: never[]) {
			seen.add(sql);
			return method.call(this, sql, ...rest);
		} as Method;
	Object.assign(Database.prototype, {
		prepare: recording(prepare),
		query: recording(query),
		run: recording(run as (sql: string) => unknown),
	});
	return { seen, stop: () => void Object.assign(Database.prototype, { prepare, query, run }) };
}
