import { toIso } from "../../kernel/clock";
import { toWire, toWireOrNull } from "../../kernel/decimal";
import type { Work } from "../../kernel/work";
import { customersByIds } from "../customers/operations";
import { writeEvent } from "../outbox/operations";
import { missingBefore } from "./operations.statements";
import type { BankEntryRow, BankStatementRow } from "./table";

/** Emits the event of a statement whose entries are recorded. */
export const statementImported = (work: Work, row: BankStatementRow): void =>
	writeEvent(work, "bank_statement.imported", row.id, {
		...{ id: row.id, entityId: row.id, bankAccountId: row.accountId, number: row.number, sequence: row.sequence },
		...{ openingBalance: toWireOrNull(row.openingBalance), closingBalance: toWireOrNull(row.closingBalance) },
		...{ entriesCount: row.entriesCount, missing: missingBefore(work, row), createdAt: toIso(row.createdAt) },
	});

/** Emits the event of a person's decision about an entry. */
export function entryDecided(
	work: Work,
	type: `bank_entry.${"confirmed" | "rejected" | "undone"}`,
	row: BankEntryRow,
): void {
	const { id, accountId, statementId, state, amount, currency, bookedOn, customerId, receiptId } = row;
	const customer = customerId === null ? undefined : customersByIds(work, [customerId]).get(customerId);
	writeEvent(work, type, id, {
		...{ id, entityId: id, bankAccountId: accountId, statementId, state, amount: toWire(amount), currency, bookedOn },
		...(customer && { customer: { id: customer.refId } }),
		receiptId,
	});
}
