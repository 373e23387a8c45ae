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

/** The name of the anchor next to main.db. A person who tampers with the log must change this file too. */
export const keptAnchorName = "audit-anchor.json";

const pathOf = (folder: string): string => join(folder, keptAnchorName);

/** Tollgate updates the anchor within this time, and immediately at a stop. */
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

/** Keeps the anchor of a running server. It uses its own connection, which sees only committed data. */
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

	/** Call it after each commit that wrote an entry. */
	changed(): void {
		this.#timer ??= setTimeout(() => {
			this.#timer = undefined;
			void this.#save(none);
		}, followMs);
	}

	/** Returns the entries that were recorded before an instant, after the anchor allows their removal. */
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
				log.error({ file: keptAnchorName }, "the anchor of the audit log does not have this folder's signature");
			else await writeWholeAsync(pathOf(folder), next);
		});
		this.#saving = saved.catch((error: unknown) =>
			log.error({ err: error }, "could not write the anchor of the audit log"),
		);
		return removable.size > 0 ? saved : this.#saving;
	}
}

/** Updates the anchor. Commands call it after they have written main.db. */
export function keepAnchor(folder: string, secret: string): void {
	const next = nextAnchor(folder, secret, none);
	if (next !== undefined) writeWhole(pathOf(folder), next);
}

/** Replaces an anchor that another secret signed. */
export function replaceAnchor(folder: string, secret: string): void {
	rmSync(pathOf(folder), { force: true });
	keepAnchor(folder, secret);
}

/** Compares the log with the kept anchor. Returns a line for each finding. */
export function checkKeptAnchor(folder: string, secret: string): string[] {
	if (!existsSync(pathOf(folder)))
		return [`${keptAnchorName} is missing, so missing entries of the audit log cannot be detected. ${remedy}`];
	const anchor = keptAnchor(folder, secret);
	if (!anchor) return [`${keptAnchorName} was changed, or another folder's secret signed it. ${remedy}`];
	return withMain(folder, (work) => compareWithKept(work, anchor));
}

const remedy =
	"Compare the log with an anchor of your own (tollgate audit verify-anchor). If that agrees, delete the file: the next start writes it again.";

const keptAnchor = (folder: string, secret: string): Anchor | undefined =>
	readAnchor(secret, readFileSync(pathOf(folder), "utf8"));

/** Returns undefined if the existing file must not be overwritten. */
function nextAnchor(folder: string, secret: string, removable: Removable): string | undefined {
	const isThere = existsSync(pathOf(folder));
	const former = isThere ? keptAnchor(folder, secret) : undefined;
	if (isThere && !former) return undefined;
	const ends: readonly AnchoredChain[] = withMain(folder, (work) => nextEnds(work, former, removable));
	return signAnchor(secret, toIso(wallClock.now()), ends);
}

/** Reads committed data by its own connection. */
function withMain<T>(folder: string, body: (work: Work) => T, ...sync: Sync<T>): T {
	const db = openFile(folder, "main");
	const transactions = openTransactions({ db, clock: wallClock, newId: newUuidV7, wake: () => {}, writes: "never" });
	try {
		return transactions.read(systemActor(""), body, ...sync);
	} finally {
		db.$client.close();
	}
}
