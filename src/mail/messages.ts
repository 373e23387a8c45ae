import { type Instant, toIso } from "../kernel/clock";

/** A mail, in plain text: every program shows it, and a link shows its target. */
export interface Mail {
	readonly to: string;
	readonly subject: string;
	readonly text: string;
}

const lines = (...texts: readonly string[]): string => `${texts.join("\n")}\n`;

export interface InvitationMail {
	readonly to: string;
	readonly accountName: string;
	/** Null for the command line. */
	readonly invitedBy: string | null;
	readonly link: string;
	readonly expiresAt: Instant;
}

export const invitationMail = ({ to, accountName, invitedBy, link, expiresAt }: InvitationMail): Mail => ({
	to,
	subject: `Invitation to ${accountName} on Tollgate`,
	text: lines(
		`${invitedBy ?? "The operator of this server"} invites you to ${accountName} on Tollgate.`,
		"",
		link,
		"",
		`The link is good until ${toIso(expiresAt)}. If you do not know why you get it, leave it alone: nothing happens then.`,
	),
});

export interface BudgetRequestMail {
	readonly to: string;
	readonly customer: string;
	/** The name of the entity, and that of the feature or currency. */
	readonly entity: string;
	readonly name: string;
	readonly amount: string;
	readonly isForWindow: boolean;
	readonly link: string;
	readonly expiresAt: Instant;
}

/** The reason of the request is not in the mail: anybody who may request could put a link there. */
export const budgetRequestMail = ({ to, link, expiresAt, ...request }: BudgetRequestMail): Mail => {
	const [entity, customer, name] = [request.entity, request.customer, request.name].map(inOneLine);
	return {
		to,
		subject: `Budget request of ${entity}`,
		text: lines(
			`${entity} (${customer}) requests ${request.amount} more of ${name}, ${request.isForWindow ? "for the current period" : "for all periods"}.`,
			"",
			"Open the request to approve, lower or decline it:",
			"",
			link,
			"",
			`The link is good until ${toIso(expiresAt)}. Opening it decides nothing. Everyone who has the link can decide, so do not forward it.`,
		),
	};
};

/** Names are chosen by callers: they begin no line of a mail, and are short. */
const inOneLine = (text: string): string => text.replace(/\s+/g, " ").slice(0, 100);

export const resetMail = ({ to, link }: { readonly to: string; readonly link: string }): Mail => ({
	to,
	subject: "Another password for Tollgate",
	text: lines(
		"Somebody, probably you, asked for another password for this address on Tollgate. Choose it here, within an hour:",
		"",
		link,
		"",
		"If it was not you, leave it alone: your password stays as it is.",
	),
});
