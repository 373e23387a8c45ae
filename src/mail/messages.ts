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
