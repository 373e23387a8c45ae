import { assert } from "../../../kernel/errors";
import type { Work } from "../../../kernel/work";
import { statementImported } from "../events";
import type { EntryState } from "../schema";
import {
	changeImport,
	changeStatement,
	findAccount,
	findSameStatement,
	insertStatement,
	isKnownEntry,
	selectStatements,
} from "../store";
import type { BankImportRow, CurrentStatement } from "../table";
import { type AccountIndex, recordEntry } from "./record";
import type { ImportItem } from "./rules.items";

const countOf = {
	OUTGOING: "outgoingCount",
	UNMATCHED: "unmatchedCount",
	PROPOSED: "proposedCount",
	RECORDED: "recordedCount",
} as const satisfies Partial<Record<EntryState, keyof BankImportRow>>;

type Counts = Record<(typeof countOf)[keyof typeof countOf] | "knownCount", number>;

/** The state of an import within one time slice. `save` writes it. */
export class ImportProgress {
	current: CurrentStatement | null;
	readonly #work: Work;
	readonly #import: BankImportRow;
	readonly #counts: Counts;
	#newEntries = 0;

	constructor(work: Work, row: BankImportRow) {
		this.#work = work;
		this.#import = row;
		this.current = row.current;
		const { knownCount, outgoingCount, unmatchedCount, proposedCount, recordedCount } = row;
		this.#counts = { knownCount, outgoingCount, unmatchedCount, proposedCount, recordedCount };
	}

	/** Records an item. The index is that of the item's account. */
	record(item: ImportItem, index: AccountIndex | undefined): void {
		if (item.kind === "STATEMENT") this.#open(item);
		else if (item.kind === "ENTRY") this.#entry(item, index);
		else this.#close(item);
	}

	save(): void {
		this.#saveStatement();
		changeImport(this.#work, this.#import.id, { ...this.#counts, current: this.current });
	}

	#open({ iban, currency, number, sequence }: Extract<ImportItem, { kind: "STATEMENT" }>): void {
		const account = findAccount(this.#work, iban);
		assert(account, "an import begins with its accounts");
		this.current = { id: this.#work.newId(), accountId: account.id, currency, number, sequence, isStored: false };
	}

	#entry({ entry, fingerprint }: Extract<ImportItem, { kind: "ENTRY" }>, index: AccountIndex | undefined): void {
		const { current } = this;
		assert(current && index, "a statement opens before its entries");
		if (isKnownEntry(this.#work, current.accountId, fingerprint)) {
			this.#counts.knownCount += 1;
			return;
		}
		if (!current.isStored) this.#store(current, Number(entry.bookedOn.slice(0, 4)));
		const { state } = recordEntry(this.#work, index, { entry, fingerprint, statementId: current.id });
		assert(state in countOf, "an import records no decision of a person");
		this.#counts[countOf[state as keyof typeof countOf]] += 1;
		this.#newEntries += 1;
	}

	/** A statement whose entries are all known is known too. One without entries counts for the gaps between numbers. */
	#close({ opening, closing }: Extract<ImportItem, { kind: "CLOSED" }>): void {
		const { current } = this;
		assert(current, "a statement opens before it closes");
		this.current = null;
		const year = new Date(this.#work.now).getUTCFullYear();
		if (!current.isStored) {
			if (current.sequence === null || findSameStatement(this.#work, { ...current, year })) return;
			this.#store(current, year);
		}
		this.#saveStatement(current);
		const closed = changeStatement(this.#work, current.id, { openingBalance: opening, closingBalance: closing });
		statementImported(this.#work, closed);
	}

	#store(current: CurrentStatement, year: number): void {
		const { id, accountId, currency, number, sequence } = current;
		const stored = { ...current, isStored: true };
		if (this.current) this.current = stored;
		insertStatement(this.#work, { id, accountId, currency, number, sequence, year, importId: this.#import.id });
	}

	#saveStatement(current = this.current): void {
		if (!current || this.#newEntries === 0) return;
		const [statement] = selectStatements(this.#work, [current.id]);
		assert(statement, "a statement with entries is stored");
		changeStatement(this.#work, current.id, { entriesCount: statement.entriesCount + this.#newEntries });
		this.#newEntries = 0;
	}
}
