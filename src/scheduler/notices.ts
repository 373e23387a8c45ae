import { issueChargeMails } from "../areas/dunning/mails/operations.charges";
import { followCharge, followInvoice } from "../areas/dunning/operations";
import { tryMethodOf } from "../areas/dunning/operations.method";
import { tellOverdue } from "../areas/invoices/operations.notices";
import type { NoticeType } from "../areas/outbox/event-types";
import { endNotice, noticeDueAt, scheduleNotice } from "../areas/outbox/operations";
import { emitExpired } from "../areas/promotional-entitlements/operations.notices";
import { emitTrialEndsSoon } from "../areas/subscriptions/operations.notices";
import type { Instant } from "../kernel/clock";
import { attemptStep, type DueSource, type DueSubject } from "../kernel/due";
import { assert } from "../kernel/errors";
import { addMinutes } from "../kernel/period";
import { type Work, workAt } from "../kernel/work";
import { noticeTimes } from "./store.notices";

/** No rule refuses a notice, so a failure is a fault of the service, and the log is the alarm. */
const retryMinutes = 60;

interface Teller {
	/** Emits the notice if it is still true. */
	readonly tell: (work: Work, entityId: string) => void;
	readonly subject: (entityId: string) => DueSubject;
}

const tellers: Readonly<Record<NoticeType, Teller>> = {
	"dunning.charge": { tell: followCharge, subject: (invoiceId) => ({ invoiceId }) },
	"dunning.mails": { tell: issueChargeMails, subject: (customerId) => ({ customerId }) },
	"dunning.method": { tell: tryMethodOf, subject: (customerId) => ({ customerId }) },
	"dunning.follow": { tell: followInvoice, subject: (invoiceId) => ({ invoiceId }) },
	"invoice.overdue": { tell: tellOverdue, subject: (invoiceId) => ({ invoiceId }) },
	"promotionalEntitlement.expired": {
		tell: emitExpired,
		subject: (promotionalEntitlementId) => ({ promotionalEntitlementId }),
	},
	"subscription.trial.ends_soon": { tell: emitTrialEndsSoon, subject: (subscriptionId) => ({ subscriptionId }) },
};

/** Notices that are emitted at their time. The transaction that emits one deletes it, so that it is emitted once. */
export const dueNotices: DueSource = {
	...noticeTimes,
	carryOutFirst: (work, dueAt) => {
		const notice = noticeDueAt(work, dueAt);
		assert(notice, "what is due is there");
		const { type, entityId } = notice;
		const { tell, subject } = tellers[type];
		const done = { at: dueAt, subject: subject(entityId) };
		const failed = attemptStep(work, () => {
			endNotice(work, notice);
			tell(workAt(work, dueAt), entityId);
		});
		if (!failed) return done;
		const retryAt = addMinutes(Math.max(work.now, dueAt) as Instant, retryMinutes);
		scheduleNotice(work, type, entityId, retryAt);
		return { ...done, ...failed, retry: { step: "TELL", retryAt } };
	},
};
