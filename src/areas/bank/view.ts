import { toIso, toIsoOrNull } from "../../kernel/clock";
import { toWire, toWireOrNull, zero } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { customersByIds } from "../customers/operations";
import { amountsDue, invoicesByIds } from "../invoices/operations";
import { missingBefore } from "./operations.statements";
import type { BankAccount, BankEntry, BankImport, BankStatement } from "./schema";
import type { BankAccountRow, BankEntryRow, BankImportRow, BankStatementRow } from "./table";

export const viewAccount = ({
	id,
	legalEntityId,
	iban,
	feeTolerance,
	csvMapping,
	createdAt,
	updatedAt,
}: BankAccountRow): BankAccount => ({
	...{ bankAccountId: id, legalEntityId, iban, feeTolerance: [...feeTolerance], csvMapping },
	...{ createdAt: toIso(createdAt), updatedAt: toIso(updatedAt) },
});

export const viewImport = ({
	id,
	taskId,
	format,
	state,
	statementsCount,
	entriesCount,
	knownCount,
	outgoingCount,
	recordedCount,
	proposedCount,
	unmatchedCount,
	createdAt,
	endedAt,
}: BankImportRow): BankImport => ({
	...{ importId: id, taskId, format, state, statementsCount, entriesCount },
	...{ knownCount, outgoingCount, recordedCount, proposedCount, unmatchedCount },
	...{ createdAt: toIso(createdAt), endedAt: toIsoOrNull(endedAt) },
});

export const viewStatement = (work: Work, row: BankStatementRow): BankStatement => ({
	...{ statementId: row.id, bankAccountId: row.accountId, importId: row.importId },
	...{ number: row.number, sequence: row.sequence, currency: row.currency },
	openingBalance: toWireOrNull(row.openingBalance),
	closingBalance: toWireOrNull(row.closingBalance),
	entriesCount: row.entriesCount,
	missing: missingBefore(work, row),
	createdAt: toIso(row.createdAt),
});

/** Returns a view function for these entries; reads their customers and the invoices of their proposals at once. */
export function entriesShown(work: Work, rows: readonly BankEntryRow[]): (row: BankEntryRow) => BankEntry {
	const proposals = rows.flatMap((row) => row.proposals);
	const invoices = invoicesByIds(work, [...new Set(proposals.flatMap(({ invoiceIds }) => invoiceIds))]);
	const dues = amountsDue(work, [...invoices.values()]);
	const payers = [...rows.flatMap(({ customerId }) => customerId ?? []), ...proposals.map((one) => one.customerId)];
	const customers = customersByIds(work, [...new Set(payers)]);
	const refOf = (id: string) => customers.get(id)?.refId ?? "";
	return (row) => ({
		...{ entryId: row.id, bankAccountId: row.accountId, statementId: row.statementId, state: row.state },
		...{ amount: toWire(row.amount), currency: row.currency, bookedOn: row.bookedOn, valueOn: row.valueOn },
		...{ isReversal: row.isReversal, bankReference: row.bankReference, endToEndId: row.endToEndId },
		...{ mandateId: row.mandateId, creditorReference: row.creditorReference, returnCode: row.returnCode },
		...{ partyName: row.partyName, partyIban: row.partyIban, text: row.text },
		proposals: row.proposals.map(({ rule, customerId, invoiceIds, reasons }) => ({
			...{ rule, customerId: refOf(customerId), reasons },
			invoices: invoiceIds.map((id) => ({
				...{ invoiceId: id, number: invoices.get(id)?.number ?? "" },
				amountDue: toWire(dues.get(id) ?? zero),
			})),
		})),
		customerId: row.customerId === null ? null : refOf(row.customerId),
		...{ receiptId: row.receiptId, isAutomatic: row.isAutomatic },
		...{ decidedAt: toIsoOrNull(row.decidedAt), createdAt: toIso(row.createdAt) },
	});
}

export const viewEntry = (work: Work, row: BankEntryRow): BankEntry => entriesShown(work, [row])(row);
