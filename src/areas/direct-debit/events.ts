import { toIso } from "../../kernel/clock";
import { toWire } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { customersByIds } from "../customers/operations";
import { writeEvent } from "../outbox/operations";
import { endToEndIdOf, messageIdOf } from "./rules";
import { stateOn } from "./rules.mandate";
import { dayOf } from "./rules.target";
import { selectMandates } from "./store";
import type { DebitFileRow, DebitRow, MandateRow } from "./table";

const customerOf = (work: Work, customerId: string) => ({
	id: customersByIds(work, [customerId]).get(customerId)?.refId ?? "",
});

/** Emits the event of a new mandate, or of its new state. */
export const mandateChanged = (work: Work, type: `mandate.${"created" | "revoked" | "stopped"}`, row: MandateRow) =>
	writeEvent(work, type, row.id, {
		...{ id: row.id, entityId: row.id, customer: customerOf(work, row.customerId), legalEntityId: row.legalEntityId },
		...{ reference: row.reference, creditorId: row.creditorId, scheme: row.scheme, kind: row.kind },
		...{ state: stateOn(row, dayOf(work.now)), signedOn: row.signedOn, stopCode: row.stopCode },
		createdAt: toIso(row.createdAt),
	});

const types = {
	PLANNED: "direct_debit.planned",
	IN_FILE: "direct_debit.submitted",
	SETTLED: "direct_debit.settled",
	RETURNED: "direct_debit.returned",
	CANCELED: "direct_debit.canceled",
} as const;

/** Emits the event of a debit in its new state. */
export function debitChanged(work: Work, row: DebitRow): void {
	const [mandate] = selectMandates(work, [row.mandateId]);
	writeEvent(work, types[row.state], row.id, {
		...{ id: row.id, entityId: row.id, customer: customerOf(work, row.customerId), state: row.state },
		...{ invoiceId: row.invoiceId, amount: toWire(row.amount), currency: "eur", collectionOn: row.collectionOn },
		...{ mandateReference: mandate?.reference ?? "", creditorId: mandate?.creditorId ?? "" },
		...{ endToEndId: endToEndIdOf(row.id), fileId: row.fileId, receiptId: row.receiptId },
		...{ returnCode: row.returnCode, createdAt: toIso(row.createdAt) },
	});
}

/** Emits the event of a file that is READY. */
export const fileReady = (work: Work, row: DebitFileRow): void =>
	writeEvent(work, "direct_debit_file.created", row.id, {
		...{ id: row.id, entityId: row.id, legalEntityId: row.legalEntityId, format: row.format },
		...{ messageId: messageIdOf(row.id), debitsCount: row.debitsCount, total: toWire(row.total), currency: "eur" },
		createdAt: toIso(row.createdAt),
	});
