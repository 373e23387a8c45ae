import { assert } from "../../kernel/errors";
import { dayNumber } from "../../kernel/period";
import type { Work } from "../../kernel/work";
import { getCustomerById } from "../customers/operations";
import { invoicesByIds } from "../invoices/operations";
import type { InvoiceRow } from "../invoices/table";
import { caseChanged } from "./events";
import { issueMail } from "./mails/operations.issue";
import { endSettled } from "./operations";
import { zoneOf } from "./operations.context";
import type { ReminderKind } from "./policies/schema.values";
import { reminderKind, runningState } from "./rules";
import { anchorAfterLast, daysOf, dueDayOf, isEnd, nextAt, positionAt } from "./rules.schedule";
import { insertSteps, saveCase } from "./store";
import type { DunningCaseRow, DunningMailRow } from "./table";

/** A case with its invoice, and the reminder that runs. */
interface Reminding {
	readonly row: DunningCaseRow;
	readonly invoice: InvoiceRow;
	/** The index of the reminder; those before it are skipped. */
	readonly position: number;
	readonly kind: ReminderKind;
}

/**
 * Reminds a customer of all invoices whose reminder is due now, in one mail. The cases are of one customer and one issuer. A case whose
 * invoice is settled ends.
 */
export function remind(work: Work, cases: readonly DunningCaseRow[]): void {
	const [first] = cases;
	assert(first, "a reminder is due");
	const customer = getCustomerById(work, first.customerId);
	const timeZone = zoneOf(work, customer);
	const invoices = invoicesByIds(
		work,
		cases.map(({ invoiceId }) => invoiceId),
	);
	const reminding: Reminding[] = [];
	for (const row of cases) {
		const invoice = invoices.get(row.invoiceId);
		assert(invoice, "a case has an invoice");
		if (invoice.state === "OPEN") reminding.push(remindingOf(work, row, invoice, timeZone));
		else endSettled(work, row, invoice);
	}
	if (reminding.length === 0) return;
	const mail = issueMail(work, customer, reminding, null);
	for (const one of reminding) record(work, one, mail, timeZone);
}

function remindingOf(work: Work, row: DunningCaseRow, invoice: InvoiceRow, timeZone: string): Reminding {
	const position = positionNow(row, work, timeZone);
	const day = { day: dayNumber(work.now, timeZone), dueDay: dueDayOf(invoice.dueAt) };
	return { row, invoice, position, kind: reminderKind(day, isEnd(row, position + 1)) };
}

/** A case that starts with the issue of its invoice runs its first reminder alone. */
const positionNow = (row: DunningCaseRow, { now }: Work, timeZone: string): number =>
	row.position === 0 && now === row.startedAt ? 0 : positionAt(row, timeZone, now);

/** Records the reminder and the skipped ones, and schedules the next step. */
function record(work: Work, { row, invoice, position, kind }: Reminding, mail: DunningMailRow, timeZone: string): void {
	const step = { caseId: row.id, round: row.round, kind: "REMINDER", at: work.now } as const;
	const positions = Array.from({ length: position - row.position + 1 }, (_, index) => row.position + index);
	insertSteps(
		work,
		positions.map((at) => ({
			...{ ...step, position: at, days: daysOf(row, at) },
			...(at === position
				? { outcome: "DONE" as const, mailId: mail.id }
				: { outcome: "SKIPPED" as const, mailId: null }),
		})),
	);
	const after = { ...row, position: position + 1 };
	const isLast = isEnd(row, after.position);
	const anchorDay = isLast ? anchorAfterLast(row, work.now, timeZone) : row.anchorDay;
	const state = runningState(row.reminders, after.position);
	const reminded = saveCase(work, row, {
		...{ position: after.position, anchorDay, state, problem: null },
		nextDueAt: nextAt({ ...after, anchorDay }, timeZone, work.now),
	});
	caseChanged(work, "dunning.reminder_issued", reminded, invoice, {
		...{ kind, days: daysOf(row, position), mail: { id: mail.id, status: mail.status } },
	});
}
