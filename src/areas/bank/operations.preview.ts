import { isLess, zero } from "../../kernel/decimal";
import { fail } from "../../kernel/errors";
import type { Work } from "../../kernel/work";
import { listInvoices } from "../invoices/lists/operations";
import { listLegalEntities } from "../legal-entities/operations";
import { Matcher, type MatchingReason, type MatchingRule, type OpenInvoice } from "./matching/rules.match";
import { isAccount } from "./rules.account";
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
	const owner = listLegalEntities(work).find(({ accounts }) =>
		accounts.some(({ iban }) => iban !== null && isAccount(iban, account)),
	);
	if (!owner)
		throw fail(
			"BadUserInput",
			`The file is of the account '${account}', which no legal entity of this environment has; state the IBAN at the legal entity that owns it, or name another environment.`,
		);
	const invoices = openInvoicesOf(work, owner.entity.id);
	return { matcher: new Matcher({ invoices }), numbers: new Map(invoices.map(({ id, number }) => [id, number])) };
}

/** Reads the invoices of a legal entity with an amount due, in pages. */
function openInvoicesOf(work: Work, legalEntityId: string): OpenInvoice[] {
	const found: OpenInvoice[] = [];
	for (let after: string | undefined; ; ) {
		const page = listInvoices(work, { stateIn: "OPEN", limit: "100", ...(after !== undefined && { after }) });
		for (const { invoice, due } of page.rows)
			if (invoice.legalEntityId === legalEntityId && isLess(zero, due)) {
				const { id, number, sequence, customerId, currency, customer } = invoice;
				found.push({ id, number, sequence, customerId, customerName: customer.name, currency, due });
			}
		if (page.next === null) return found;
		after = page.next;
	}
}
