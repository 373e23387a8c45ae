import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Instant, toIso, wallClock } from "../../kernel/clock";
import { newUuidV7 } from "../../kernel/ids";
import { openFile } from "../../kernel/storage/db";
import { writeWhole, writeWholeAsync } from "../../kernel/storage/disk";
import { openTransactions } from "../../kernel/storage/transactions";
import type { Sync, Work } from "../../kernel/work";
import { systemActor } from "../access/rules.actors";
import { compareWithKept, nextEnds } from "./operations.anchor";
import { type Anchor, type AnchoredChain, type Removable, readAnchor, signAnchor } from "./rules.anchor";
import { lastRecordedBefore } from "./store";

/** The anchor that Tollgate keeps alongside main.db. A person who changes the log there has to change this file too. */
export const keptAnchorName = "audit-anchor.json";

const pathOf = (folder: string): string => join(folder, keptAnchorName);

/** Our choice: the kept anchor follows the log within this time, and at a stop at once. */
const followMs = 2_000;

const none: Removable = new Map();

interface Trouble {
	error(details: object, message: string): void;
	warn(details: object, message: string): void;
}

export interface AnchorKeeperOptions {
	readonly folder: string;
	readonly secret: string;
	readonly log: Trouble;
}

/** Keeps the anchor of a running server. It reads by a connection of its own, which sees only what is committed. */
export class AnchorKeeper {
	readonly #options: AnchorKeeperOptions;
	#timer: ReturnType<typeof setTimeout> | undefined;
	#saving: Promise<void> = Promise.resolve();

	constructor(options: AnchorKeeperOptions) {
		this.#options = options;
		const { folder, secret, log } = options;
		if (existsSync(pathOf(folder))) this.changed();
		else {
			log.warn({ file: keptAnchorName }, "the anchor of the audit log is missing; Tollgate writes a new one");
			keepAnchor(folder, secret);
		}
	}

	/** To be called after each commit that has written an entry. */
	changed(): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			void this.#save(none);
		}, followMs);
	}

	/** Answers which entries were recorded before an instant, once the kept anchor allows their removal. */
	async allowRemoval(before: Instant): Promise<Removable> {
		const removable = withMain(this.#options.folder, (work) => lastRecordedBefore(work, before));
		if (removable.size > 0) await this.#save(removable);
		return removable;
	}

	async stop(): Promise<void> {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		await this.#save(none);
	}

	#save(removable: Removable): Promise<void> {
		const { folder, secret, log } = this.#options;
		const saved = this.#saving.then(async () => {
			const next = nextAnchor(folder, secret, removable);
			if (next === undefined)
				log.error({ file: keptAnchorName }, "the anchor of the audit log does not carry this folder's signature");
			else await writeWholeAsync(pathOf(folder), next);
		});
		this.#saving = saved.catch((error: unknown) =>
			log.error({ err: error }, "the anchor of the audit log could not be written"),
		);
		return removable.size > 0 ? saved : this.#saving;
	}
}

/** Brings the kept anchor up to date. For processes that write main.db and end, such as a command. */
export function keepAnchor(folder: string, secret: string): void {
	const next = nextAnchor(folder, secret, none);
	if (next !== undefined) writeWhole(pathOf(folder), next);
}

/** Writes the anchor again where another secret has signed the one that is there. */
export function replaceAnchor(folder: string, secret: string): void {
	rmSync(pathOf(folder), { force: true });
	keepAnchor(folder, secret);
}

/** Compares the log with the kept anchor. Answers a line for each finding. */
export function checkKeptAnchor(folder: string, secret: string): string[] {
	if (!existsSync(pathOf(folder)))
		return [`${keptAnchorName} is missing: whether entries of the audit log are missing cannot be told. ${remedy}`];
	const anchor = keptAnchor(folder, secret);
	if (!anchor) return [`${keptAnchorName} was changed, or another folder's secret signed it. ${remedy}`];
	return withMain(folder, (work) => compareWithKept(work, anchor));
}

const remedy =
	"Compare the log with an anchor of your own (tollgate audit verify-anchor). If that agrees, delete the file: the next start writes it again.";

const keptAnchor = (folder: string, secret: string): Anchor | undefined =>
	readAnchor(secret, readFileSync(pathOf(folder), "utf8"));

/** Undefined where the file that is there is not to be overwritten. */
function nextAnchor(folder: string, secret: string, removable: Removable): string | undefined {
	const isThere = existsSync(pathOf(folder));
	const former = isThere ? keptAnchor(folder, secret) : undefined;
	if (isThere && !former) return undefined;
	const ends: readonly AnchoredChain[] = withMain(folder, (work) => nextEnds(work, former, removable));
	return signAnchor(secret, toIso(wallClock.now()), ends);
}

/** Reads what is committed, by a connection of its own. */
function withMain<T>(folder: string, body: (work: Work) => T, ...sync: Sync<T>): T {
	const db = openFile(folder, "main");
	const transactions = openTransactions({ db, clock: wallClock, newId: newUuidV7, wake: () => {}, writes: "never" });
	try {
		return transactions.read(systemActor(""), body, ...sync);
	} finally {
		db.$client.close();
	}
}
