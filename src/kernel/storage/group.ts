import { assert } from "../errors";
import type { Database } from "../work";
import { isFailedSync } from "./failures";

export interface GroupOptions {
	readonly db: Database;
	/** Called once the writes of the group are on disk, before any caller gets an answer. */
	readonly onCommitted: () => void;
	/** Commits a group that contains only usage. */
	readonly commitUsage: <T>(commit: () => T) => T;
	/** Increments the file's revision, with the first write of a group that is not usage only. */
	readonly countRevision: () => void;
	/** Called when the group was rolled back. */
	readonly onUndone: () => void;
	/** Called with the number of writes of a group and the milliseconds of its commit, once it is on disk. */
	readonly measure?: ((writes: number, ms: number) => void) | undefined;
	/** Returns the error that the callers of a failed group get. */
	readonly explain: (error: unknown, isCommitting: boolean) => unknown;
}

/** A transaction that many writes share. */
interface Group {
	readonly effects: Array<() => void>;
	readonly ended: PromiseWithResolvers<void>;
	/** The number of writes that were not rolled back alone. */
	writes: number;
	/** Whether the group contains more than usage. */
	isRevised: boolean;
	/** The error that already dooms the group during its turn. */
	lost?: unknown;
}

/**
 * Lets the writes of one turn of the event loop share one transaction and one flush. The first write begins it. Each write has a savepoint of
 * its own, so that a refused write is rolled back alone. At the end of the turn one commit keeps all writes or none.
 */
export class GroupCommit {
	readonly #options: GroupOptions;
	readonly #statements;
	#group: Group | undefined;

	constructor(options: GroupOptions) {
		this.#options = options;
		const prepare = (sql: string) => options.db.$client.prepare(sql);
		this.#statements = {
			begin: prepare("BEGIN IMMEDIATE"),
			savepoint: prepare("SAVEPOINT written"),
			release: prepare("RELEASE written"),
			undo: prepare("ROLLBACK TO written"),
			commit: prepare("COMMIT"),
			rollback: prepare("ROLLBACK"),
		};
	}

	/** Runs `body` in the group of this turn. `effects` run once the group is on disk. Throws the errors of the body. */
	write<T>(body: (effects: Array<() => void>) => T, isUsage = false): T {
		const group = this.#group ?? this.#begin();
		if (group.lost !== undefined) throw group.lost;
		const { savepoint, release } = this.#statements;
		const effects: Array<() => void> = [];
		savepoint.run();
		try {
			const isRevising = !isUsage && !group.isRevised;
			if (isRevising) this.#options.countRevision();
			const result = body(effects);
			release.run();
			if (isRevising) group.isRevised = true;
			group.writes += 1;
			group.effects.push(...effects);
			return result;
		} catch (error) {
			this.#undo(group, error);
			throw error;
		}
	}

	/**
	 * Resolves when the group of this turn is on disk, at once if there is none. Rejects if the group was rolled back. Call it in the same turn
	 * as the write.
	 */
	committed(): Promise<void> {
		return this.#group?.ended.promise ?? Promise.resolve();
	}

	#begin(): Group {
		this.#statements.begin.run();
		const group: Group = { effects: [], ended: Promise.withResolvers(), writes: 0, isRevised: false };
		// Some writers do not wait for the result.
		group.ended.promise.catch(() => {});
		this.#group = group;
		setImmediate(() => this.#end(group));
		return group;
	}

	/** Some failures, such as a full disk, end the whole transaction, including the writes of others. */
	#undo(group: Group, error: unknown): void {
		const { $client } = this.#options.db;
		try {
			if ($client.inTransaction && !isFailedSync(error)) {
				this.#statements.undo.run();
				this.#statements.release.run();
				return;
			}
		} catch {
			// A write that cannot be rolled back alone is rolled back with the group.
		}
		group.lost = this.#options.explain(error, false);
	}

	#end(group: Group): void {
		assert(group === this.#group, "a group ends before the next begins");
		this.#group = undefined;
		const { db, onCommitted, commitUsage, onUndone, measure, explain } = this.#options;
		const begunAtMs = performance.now();
		try {
			if (group.lost !== undefined) throw group.lost;
			const commit = () => this.#statements.commit.run();
			if (group.isRevised) commit();
			else commitUsage(commit);
		} catch (error) {
			if (db.$client.inTransaction) this.#statements.rollback.run();
			onUndone();
			group.ended.reject(group.lost ?? explain(error, true));
			return;
		}
		measure?.(group.writes, performance.now() - begunAtMs);
		if (group.isRevised) onCommitted();
		for (const effect of group.effects) effect();
		group.ended.resolve();
	}
}
