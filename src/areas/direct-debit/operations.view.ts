import { toIso, toIsoOrNull } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { customersByIds } from "../customers/operations";
import { collectionAccountOf } from "./operations.creditors";
import { mandatesByIds } from "./operations.mandates";
import { endToEndIdOf, messageIdOf } from "./rules";
import { expiresOn, returnableUntil, stateOn, unauthorizedUntil } from "./rules.mandate";
import { dayOf } from "./rules.target";
import type { DirectDebit, DirectDebitCreditor, DirectDebitFile, Mandate } from "./schema";
import type { CreditorRow, DebitFileRow, DebitRow, MandateRow } from "./table";

export const viewCreditor = (work: Work, row: CreditorRow): DirectDebitCreditor => ({
	...{ legalEntityId: row.legalEntityId, creditorId: row.creditorId },
	...collectionAccountOf(work, row.legalEntityId),
	...{ format: row.format, leadDays: row.leadDays, batchBooking: row.batchBooking },
	...{ createdAt: toIso(row.createdAt), updatedAt: toIso(row.updatedAt) },
});

/** Returns a view function for these mandates; reads their customers at once. */
export function mandatesShown(work: Work, rows: readonly MandateRow[]): (row: MandateRow) => Mandate {
	const customers = customersByIds(work, [...new Set(rows.map(({ customerId }) => customerId))]);
	const today = dayOf(work.now);
	return (row) => ({
		...{ mandateId: row.id, customerId: customers.get(row.customerId)?.refId ?? "", legalEntityId: row.legalEntityId },
		...{ reference: row.reference, creditorId: row.creditorId, scheme: row.scheme, kind: row.kind },
		...{ state: stateOn(row, today), iban: row.iban, bic: row.bic, debtorName: row.debtorName },
		...{ debtorAddress: row.debtorAddress, signedOn: row.signedOn, lastCollectedOn: row.lastCollectedOn },
		...{ expiresOn: expiresOn(row), stopCode: row.stopCode },
		...{ createdAt: toIso(row.createdAt), updatedAt: toIso(row.updatedAt) },
	});
}

export const viewMandate = (work: Work, row: MandateRow): Mandate => mandatesShown(work, [row])(row);

/** Returns a view function for these debits; reads the rows around them at once. */
export function debitsShown(work: Work, rows: readonly DebitRow[]): (row: DebitRow) => DirectDebit {
	const customers = customersByIds(work, [...new Set(rows.map(({ customerId }) => customerId))]);
	const mandates = mandatesByIds(
		work,
		rows.map(({ mandateId }) => mandateId),
	);
	return (row) => {
		const isSettled = row.state === "SETTLED";
		return {
			...{ debitId: row.id, state: row.state, customerId: customers.get(row.customerId)?.refId ?? "" },
			...{ legalEntityId: row.legalEntityId, mandateId: row.mandateId, invoiceId: row.invoiceId },
			...{ mandateReference: mandates.get(row.mandateId)?.reference ?? "", amount: toWire(row.amount) },
			...{ collectionOn: row.collectionOn, announcement: row.announcement, sequence: row.sequence },
			...{ fileId: row.fileId, endToEndId: endToEndIdOf(row.id), receiptId: row.receiptId },
			...{ returnCode: row.returnCode, returnedOn: row.returnedOn },
			returnableUntil: isSettled ? returnableUntil(row.collectionOn) : null,
			unauthorizedUntil: isSettled ? unauthorizedUntil(row.collectionOn) : null,
			...{ createdAt: toIso(row.createdAt), endedAt: toIsoOrNull(row.endedAt) },
		};
	};
}

export const viewDebit = (work: Work, row: DebitRow): DirectDebit => debitsShown(work, [row])(row);

export const viewFile = (row: DebitFileRow): DirectDebitFile => ({
	...{ fileId: row.id, state: row.state, taskId: row.taskId, legalEntityId: row.legalEntityId, format: row.format },
	...{ messageId: messageIdOf(row.id), collectUntil: row.collectUntil, debitsCount: row.debitsCount },
	...{ total: toWire(row.total), createdAt: toIso(row.createdAt) },
});
