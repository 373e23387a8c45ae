import type { Work } from "../../../kernel/work";
import { budgetRequestMail } from "../../../mail/messages";
import { queueMail } from "../../../mail/operations";
import type { Outgoing } from "../../../server/context";
import { getCustomerById } from "../../customers/operations";
import type { NewRequest } from "../../governance/requests/operations";
import { startSession } from "../operations.sessions";
import { linkTo } from "../view";
import { namesOf } from "./view";

/** Our choice (docs/interface/governance.md#links-in-mails): as long as a request is undecided. */
const linkMinutes = 7 * 24 * 60;

/**
 * Returns a function that mails a new request to the person who approves it, with a link that decides only this request. The mail is queued
 * in the transaction of the request. Without a mail server, nobody is notified.
 */
export const mailApprover =
	({ folderSecret, mailOrigin }: Outgoing) =>
	(work: Work, { request, budget, approver }: NewRequest): void => {
		if (mailOrigin === null || !approver) return;
		const customer = getCustomerById(work, request.customerId);
		const started = startSession(work, customer, {
			...{ kind: "PORTAL", minutes: linkMinutes, returnUrl: null, budgets: "VIEW" },
			...{ entityId: approver.entityId, personId: approver.personId, requestId: request.id },
		});
		const mail = budgetRequestMail({
			...{ to: approver.email, customer: customer.name ?? customer.refId },
			...{ entity: budget.entity.displayName ?? budget.entity.refId, name: namesOf(work, [budget])(budget).name },
			...{ amount: request.amount, isForWindow: request.duration === "PERIOD" },
			...{ link: linkTo(mailOrigin, `portal?request=${request.id}`, started), expiresAt: started.session.expiresAt },
		});
		queueMail(work, folderSecret, mail);
	};
