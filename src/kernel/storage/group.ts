import { assert } from "../errors";
import type { Database } from "../work";
import { isFailedSync } from "./failures";

export interface GroupOptions {
	readonly db: Database;
	/** Called once what the group has written is on disk, before anybody is told. */
	readonly onCommitted: () => void;
	/** Carries out the commit of a group of usage alone; what it throws, this throws. */
	readonly commitUsage: <T>(commit: () => T) => T;
	/** Counts up the file's revision: with the first write of a group that is not of usage alone. */
	readonly countRevision: () => void;
	/** Called when nothing of the group was kept. */
	readonly onUndone: () => void;
	/** What a failure is to those who took part. */
	readonly explain: (error: unknown, isCommitting: boolean) => unknown;
}

/** A transaction that many share. */
interface Group {
	readonly effects: Array<() => void>;
	readonly ended: PromiseWithResolvers<void>;
	/** Whether more than usage was written. */
	isRevised: boolean;
	/** Why nothing of it can be kept any more, although its turn is not over. */
	lost?: unknown;
}

/**
 * Writes of one turn of the event loop share one transaction and one flush. The first begins it; each runs in a savepoint of
 * its own, so that what is refused is undone alone; when the turn has ended, with all that was begun in it, one commit keeps
 * all of them or none.
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

	/** Runs `body` in the group of this turn. `effects` happen once the group is on disk. Throws what the body throws. */
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
			group.effects.push(...effects);
			return result;
		} catch (error) {
			this.#undo(group, error);
			throw error;
		}
	}

	/**
	 * Resolves when the group of this turn is on disk, at once when there is none; rejects when nothing of it was kept. To be
	 * asked for in the same turn as the write.
	 */
	committed(): Promise<void> {
		return this.#group?.ended.promise ?? Promise.resolve();
	}

	#begin(): Group {
		this.#statements.begin.run();
		const group: Group = { effects: [], ended: Promise.withResolvers(), isRevised: false };
		// Not everybody who writes waits to hear of it.
		group.ended.promise.catch(() => {});
		this.#group = group;
		setImmediate(() => this.#end(group));
		return group;
	}

	/** Some failures, such as a full disk, end the whole transaction, and with it what others have written. */
	#undo(group: Group, error: unknown): void {
		const { $client } = this.#options.db;
		try {
			if ($client.inTransaction && !isFailedSync(error)) {
				this.#statements.undo.run();
				this.#statements.release.run();
				return;
			}
		} catch {
			// What cannot be undone alone goes with the others.
		}
		group.lost = this.#options.explain(error, false);
	}

	#end(group: Group): void {
		assert(group === this.#group, "a group ends before the next begins");
		this.#group = undefined;
		const { db, onCommitted, commitUsage, onUndone, explain } = this.#options;
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
		if (group.isRevised) onCommitted();
		for (const effect of group.effects) effect();
		group.ended.resolve();
	}
}
