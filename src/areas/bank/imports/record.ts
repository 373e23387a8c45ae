import { DomainError } from "../../../kernel/errors";
import { isStorageTrouble } from "../../../kernel/storage/failures";
import type { Work } from "../../../kernel/work";
import { amountsDue, invoicesByIds } from "../../invoices/operations";
import { takePayment } from "../../subscriptions/lifecycle/operations.payment";
import { debitOfEntry, returnByEntry, settleDebit } from "../debits/operations";
import { isIncoming, paymentOf, spread } from "../entries/operations.take";
import type { Match, Matcher, OpenInvoice, Proposal } from "../matching/rules.match";
import type { BankProposal } from "../schema";
import type { StatementEntry } from "../statements/rules.statement";
import { insertEntry } from "../store";
import type { BankAccountRow, BankEntryRow } from "../table";

/** Our bound: a match is made again after an invoice has changed since it was indexed. */
const rematchesMax = 20;

/** The open invoices of the legal entity of an account. */
export interface AccountIndex {
	readonly account: BankAccountRow;
	readonly matcher: Matcher;
}

interface EntryToRecord {
	readonly entry: StatementEntry;
	readonly fingerprint: string;
	readonly statementId: string;
}

/**
 * Records an entry of a statement. An entry with the end-to-end id of a debit settles or returns that debit. Rules 1 to 3 allocate its money by `takePayment`; other matches are proposals. The match is checked
 * with the invoices as they are now.
 */
export function recordEntry(
	work: Work,
	{ account, matcher }: AccountIndex,
	{ entry, fingerprint, statementId }: EntryToRecord,
): BankEntryRow {
	const id = work.newId();
	const row = { ...entry, id, accountId: account.id, statementId, fingerprint };
	const none = { proposals: [], customerId: null, receiptId: null, isAutomatic: false, decidedAt: null };
	const debit = debitOfEntry(work, account, entry);
	if (!isIncoming(entry)) {
		if (debit) returnByEntry(work, debit, row);
		return insertEntry(work, { ...row, ...none, state: "OUTGOING" });
	}
	// A reversal brings back money that had left; no customer pays by it.
	if (entry.isReversal) return insertEntry(work, { ...row, ...none, state: "UNMATCHED" });
	if (debit) {
		const { customerId, receiptId } = settleDebit(work, debit, account, { reference: id, bookedOn: row.bookedOn });
		matcher.remove(debit.invoiceId);
		return insertEntry(work, {
			...{ ...row, ...none, customerId, receiptId, isAutomatic: true, decidedAt: work.now, state: "RECORDED" },
		});
	}
	const { isAutomatic, proposals } = currentMatch(work, matcher, entry);
	const [best] = proposals;
	const shown = proposals.map((one) => viewProposal(matcher, one));
	const receipt = isAutomatic && best ? takeOrNone(work, account, row, openOf(matcher, best)) : undefined;
	if (!receipt)
		return insertEntry(work, {
			...{ ...row, ...none, proposals: shown },
			state: shown.length > 0 ? "PROPOSED" : "UNMATCHED",
		});
	for (const invoiceId of best?.invoiceIds ?? []) matcher.remove(invoiceId);
	const { customerId } = receipt;
	const taken = { customerId, receiptId: receipt.id, isAutomatic: true, decidedAt: work.now };
	return insertEntry(work, { ...row, proposals: shown, ...taken, state: "RECORDED" });
}

/** Matches until the named invoices are as the index says. */
function currentMatch(work: Work, matcher: Matcher, entry: StatementEntry): Match {
	for (let times = 0; times < rematchesMax; times += 1) {
		const match = matcher.match(entry);
		const named = [...new Set(match.proposals.flatMap(({ invoiceIds }) => invoiceIds))];
		if (named.length === 0 || !refresh(work, matcher, named)) return match;
	}
	return { isAutomatic: false, proposals: [] };
}

/** Reads invoices again. Returns whether one differs from the index. */
function refresh(work: Work, matcher: Matcher, ids: readonly string[]): boolean {
	const rows = [...invoicesByIds(work, ids).values()];
	const dues = amountsDue(work, rows);
	let isChanged = false;
	for (const { id, state } of rows) {
		const known = matcher.find(id);
		const due = dues.get(id);
		if (!known || (state === "OPEN" && due === known.due)) continue;
		isChanged = true;
		matcher.remove(id);
		if (state === "OPEN" && due !== undefined && Number(due) > 0) matcher.add({ ...known, due });
	}
	return isChanged;
}

const openOf = (matcher: Matcher, { invoiceIds }: Proposal): OpenInvoice[] =>
	invoiceIds.flatMap((id) => matcher.find(id) ?? []);

const viewProposal = (matcher: Matcher, { rule, invoiceIds, reasons }: Proposal): BankProposal => ({
	...{ rule, customerId: matcher.find(invoiceIds[0] ?? "")?.customerId ?? "" },
	...{ invoiceIds: [...invoiceIds], reasons: [...reasons] },
});

/** Takes the money of an entry. A payment that a rule rejects is left to a person: undefined. */
function takeOrNone(
	work: Work,
	{ legalEntityId }: BankAccountRow,
	entry: Parameters<typeof paymentOf>[1],
	invoices: readonly OpenInvoice[],
) {
	const [first] = invoices;
	if (!first) return undefined;
	const payer = { customerId: first.customerId, legalEntityId };
	const plan = { allocations: spread(entry.amount, invoices), excess: "UNALLOCATED" } as const;
	try {
		return work.tx.transaction(() => takePayment(work, paymentOf(work, entry, payer, plan)).receipt);
	} catch (error) {
		if (isStorageTrouble(error) || !(error instanceof DomainError)) throw error;
		return undefined;
	}
}
