import { fail } from "../../../kernel/errors";
import { readCamt } from "./camt";
import { readCsv } from "./csv";
import { readMt940 } from "./mt940";
import { decoded, type Encoding } from "./rules.source";
import { checkedEvents, type StatementEvent, type StatementFormat } from "./rules.statement";
import type { CsvMapping } from "./schema.mapping";

/** How to read a file. */
export interface FileForm {
	readonly format: StatementFormat;
	readonly encoding: Encoding;
	/** The mapping and the account of the entries; only for CSV. */
	readonly mapping?: CsvMapping | undefined;
	readonly account?: string | undefined;
}

/**
 * Reads the parts of a file, in order, in linear time: memory is bounded by the largest entry. Throws BadUserInput with the line if the file is
 * damaged, if it is not whole, or if its sums do not add up.
 */
export function readStatements(
	parts: Iterable<Uint8Array>,
	{ format, encoding, mapping, account }: FileForm,
): Generator<StatementEvent> {
	const texts = decoded(parts, encoding);
	switch (format) {
		case "CAMT":
			return checkedEvents(readCamt(texts));
		case "MT940":
			return checkedEvents(readMt940(texts));
		case "CSV":
			if (!mapping || account === undefined)
				throw fail(
					"BadUserInput",
					"The file is neither CAMT nor MT940. For CSV, name a saved mapping and the account.",
				);
			return checkedEvents(readCsv(texts, mapping, account));
	}
}
