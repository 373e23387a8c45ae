import type { Work } from "../../kernel/work";
import { openInvoicesAfter } from "./matching/operations.open-invoices";
import { Matcher, type OpenInvoice } from "./matching/rules.match";
import type { MatchingReason, MatchingRule } from "./matching/schema";
import { ownAccount } from "./operations.accounts";
import { readStatements } from "./statements/rules.read";
import { encodingOf, formatOf } from "./statements/rules.source";
import type { StatementEntry } from "./statements/rules.statement";
import type { CsvMapping } from "./statements/schema.mapping";

/** A file of a bank. */
export interface StatementFile {
	readonly bytes: Uint8Array;
	/** Only for CSV. */
	readonly mapping: CsvMapping | undefined;
	/** The IBAN of the account; only for CSV, since the other formats state it. */
	readonly account: string | undefined;
}

/** A statement or an entry of a file; they come in its order. Amounts are in major units of `currency`, an ISO 4217 code in lower case. */
export type PreviewedItem =
	| { readonly kind: "STATEMENT"; readonly account: string; readonly number: string | null }
	| {
			readonly kind: "ENTRY";
			readonly entry: StatementEntry;
			/** The match is certain: its first proposal needs no person. */
			readonly isCertain: boolean;
			readonly proposals: ReadonlyArray<{
				readonly rule: MatchingRule;
				readonly numbers: readonly string[];
				readonly reasons: readonly MatchingReason[];
			}>;
	  };

/**
 * Reads a bank's file whole, and matches its entries with the open invoices of the legal entity that has the account. Writes nothing.
 * Throws BadUserInput for a file that is damaged, and for an account that no legal entity has.
 */
export function previewStatements(work: Work, { bytes, mapping, account }: StatementFile): PreviewedItem[] {
	const format = formatOf(bytes);
	const encoding = mapping?.encoding ?? encodingOf(bytes, format);
	const items: PreviewedItem[] = [];
	let open: OpenOfAccount | undefined;
	for (const event of readStatements([bytes], { format, encoding, mapping, account })) {
		if (event.kind === "OPENED") {
			open = openOfAccount(work, event.head.account);
			items.push({ kind: "STATEMENT", account: event.head.account, number: event.head.number });
		} else if (event.kind === "ENTRY" && open) items.push(previewedEntry(open, event.entry));
	}
	return items;
}

interface OpenOfAccount {
	readonly matcher: Matcher;
	/** The numbers of invoices by row id. */
	readonly numbers: ReadonlyMap<string, string>;
}

function previewedEntry({ matcher, numbers }: OpenOfAccount, entry: StatementEntry): PreviewedItem {
	const { isAutomatic, proposals } = matcher.match(entry);
	return {
		...{ kind: "ENTRY", entry, isCertain: isAutomatic },
		proposals: proposals.map(({ rule, reasons, invoiceIds }) => ({
			...{ rule, reasons },
			numbers: invoiceIds.map((id) => numbers.get(id) ?? id),
		})),
	};
}

function openOfAccount(work: Work, account: string): OpenOfAccount {
	const invoices = openInvoicesOf(work, ownAccount(work, account).legalEntityId);
	return { matcher: new Matcher({ invoices }), numbers: new Map(invoices.map(({ id, number }) => [id, number])) };
}

/** Reads the invoices of a legal entity with an amount due, in pages. */
function openInvoicesOf(work: Work, legalEntityId: string): OpenInvoice[] {
	const found: OpenInvoice[] = [];
	for (let after: string | null = null; ; ) {
		const page = openInvoicesAfter(work, legalEntityId, after);
		found.push(...page.invoices);
		if (page.next === null) return found;
		after = page.next;
	}
}
