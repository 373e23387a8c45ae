import type { Actor, Transactions } from "../../../kernel/work";
import { ownAccount } from "../operations.accounts";
import { readStatements } from "../statements/rules.read";
import { encodingOf, formatOf } from "../statements/rules.source";
import { refuse, type StatementEvent, type StatementFormat } from "../statements/rules.statement";
import { findAccount } from "../store";
import { Fingerprints } from "./rules.fingerprint";
import { type ImportItem, partCharactersMax } from "./rules.items";

/** The longest work between two pauses: other requests of the thread wait for it. */
const sliceMs = 4;

/** The bytes that are decoded at once. */
const pieceBytes = 64 * 1024;

/** A file that was read whole and is sound. */
export interface ReadFile {
	readonly format: StatementFormat;
	readonly statementsCount: number;
	readonly entriesCount: number;
	/** The number of all items. */
	readonly itemsCount: number;
	/** The items after the parts that were passed on: a JSON array, and its position. */
	/** The accounts of its statements. */
	readonly ibans: readonly string[];
	readonly rest: { readonly position: number; readonly items: string };
}

export interface FileToRead {
	readonly transactions: Pick<Transactions, "read">;
	readonly actor: Actor;
	readonly bytes: Uint8Array;
	/** The IBAN of a CSV file, whose saved mapping reads it. */
	readonly account: string | undefined;
	/** Receives the items, a JSON array at a time, while the rest of the file is read. */
	readonly keep: (position: number, items: string) => Promise<unknown>;
}

/**
 * Reads a file in slices of a few milliseconds, and checks it whole: its form, the sums of its statements, and its accounts. Passes on its items
 * in parts; a short file has none but the rest. Throws BadUserInput with the line and the figures.
 */
export async function readFile({ transactions, actor, bytes, account, keep }: FileToRead): Promise<ReadFile> {
	const format = formatOf(bytes);
	const saved =
		format === "CSV" && account !== undefined
			? transactions.read(actor, (work) => findAccount(work, ownAccount(work, account).iban))
			: undefined;
	const mapping = saved?.csvMapping ?? undefined;
	const encoding = mapping?.encoding ?? encodingOf(bytes, format);
	const items = new Items((stated) => transactions.read(actor, (work) => ownAccount(work, stated).iban));
	let sliceEndsAt = performance.now() + sliceMs;
	for (const event of readStatements(piecesOf(bytes), { format, encoding, mapping, account })) {
		items.add(event);
		if (items.isFull) await keep(...items.take());
		if (performance.now() < sliceEndsAt) continue;
		await new Promise((resolve) => setImmediate(resolve));
		sliceEndsAt = performance.now() + sliceMs;
	}
	const [position, rest] = items.take();
	const { statementsCount, entriesCount } = items;
	return {
		...{ format, statementsCount, entriesCount, itemsCount: items.count, ibans: [...items.ibans] },
		rest: { position, items: rest },
	};
}

function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** Collects the items of a file into parts. */
class Items {
	statementsCount = 0;
	entriesCount = 0;
	readonly ibans = new Set<string>();
	/** The items so far, those of former parts included. */
	count = 0;
	readonly #ibanOf: (stated: string) => string;
	readonly #fingerprints = new Fingerprints();
	readonly #statements = new Set<string>();
	#part: string[] = [];
	#characters = 0;
	#iban = "";
	#statement: string | null = null;

	constructor(ibanOf: (stated: string) => string) {
		this.#ibanOf = ibanOf;
	}

	get isFull(): boolean {
		return this.#characters >= partCharactersMax;
	}

	add(event: StatementEvent): void {
		if (event.kind === "OPENED") this.#open(event);
		if (event.kind === "ENTRY") {
			const { entry } = event;
			this.entriesCount += 1;
			this.#push({ kind: "ENTRY", entry, fingerprint: this.#fingerprints.of(this.#iban, this.#statement, entry) });
		}
		if (event.kind === "CLOSED") this.#push({ kind: "CLOSED", ...event.balances });
	}

	/** Returns the part so far with its position, and begins the next one. */
	take(): [position: number, items: string] {
		const part = this.#part;
		this.#part = [];
		this.#characters = 0;
		return [this.count - part.length, `[${part.join()}]`];
	}

	#open({ head, line }: Extract<StatementEvent, { kind: "OPENED" }>): void {
		const { currency, number, sequence } = head;
		this.#iban = this.#ibanOf(head.account);
		this.ibans.add(this.#iban);
		this.#statement = number === null ? null : JSON.stringify([number, sequence]);
		if (this.#statement !== null) {
			const key = `${this.#iban} ${this.#statement}`;
			if (this.#statements.has(key))
				throw refuse(
					line,
					`the file has statement ${number} of the account ${this.#iban} twice; download it from the bank again.`,
				);
			this.#statements.add(key);
		}
		this.statementsCount += 1;
		this.#push({ kind: "STATEMENT", iban: this.#iban, currency, number, sequence });
	}

	#push(item: ImportItem): void {
		const text = JSON.stringify(item);
		this.#part.push(text);
		this.#characters += text.length;
		this.count += 1;
	}
}
